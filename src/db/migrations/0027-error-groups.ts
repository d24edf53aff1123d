import { type Kysely, sql } from 'kysely';

/**
 * Error groups get an id, the last change of their state and counts by day; sessions the kind of their answer; members
 * can mark the suspect or the place that was right.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table debug_groups
      add column id text not null unique default gen_random_uuid()::text,
      add column state_changed_at timestamptz,
      add column state_changed_by text references users on delete set null;
    create index debug_groups_newest on debug_groups (project_id, last_seen desc, id desc);

    alter table debug_sessions
      add column kind text generated always as (
        case
          when answer->>'kind' = 'defect' and jsonb_typeof(answer->'cause_confidence') = 'number' then 'regression'
          else answer->>'kind'
        end
      ) stored;

    create table debug_group_days (
      project_id text not null,
      fingerprint text not null,
      day date not null,
      count integer not null default 1,
      primary key (project_id, fingerprint, day),
      foreign key (project_id, fingerprint) references debug_groups on delete cascade
    );
    insert into debug_group_days
      select project_id, fingerprint, (created_at at time zone 'utc')::date, count(*)
      from debug_sessions group by 1, 2, 3;

    create table debug_labels (
      project_id text not null,
      session_id text not null,
      user_id text not null references users on delete cascade,
      commit text,
      place jsonb,
      created_at timestamptz not null default now(),
      primary key (project_id, session_id, user_id),
      foreign key (project_id, session_id) references debug_sessions on delete cascade
    );
  `.execute(db);
}
