import { type Kysely, sql } from 'kysely';

/**
 * Intake of error events: a number for every project, which DSNs contain; the key and settings of its intake; the events;
 * and counts of what was accepted and dropped by day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects add column number integer generated always as identity unique;

    create table project_intakes (
      project_id text primary key references projects on delete cascade,
      key text not null unique,
      enabled boolean not null default true,
      retention_days integer not null default 90 check (retention_days between 1 and 730),
      scrub_defaults boolean not null default true,
      scrub_fields jsonb not null default '[]',
      created_by text references users on delete set null,
      created_at timestamptz not null default now(),
      key_created_at timestamptz not null default now()
    );

    create table error_events (
      project_id text not null references projects on delete cascade,
      id text not null,
      received_at timestamptz not null default now(),
      event jsonb not null,
      fingerprint text,
      primary key (project_id, id)
    );
    create index error_events_received on error_events (project_id, received_at);
    create index error_events_ungrouped on error_events (project_id, received_at) where fingerprint is null;
    create index error_events_of_group on error_events (project_id, fingerprint, received_at) where fingerprint is not null;

    create table intake_counts (
      project_id text not null references projects on delete cascade,
      day date not null,
      outcome text not null,
      count bigint not null,
      primary key (project_id, day, outcome)
    );
  `.execute(db);
}
