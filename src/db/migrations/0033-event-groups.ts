import { type Kysely, sql } from 'kysely';

/**
 * Groups of error events: titles, assignees, snoozing, releases and the progress of their investigation. A group has one key
 * (fingerprint of an error) or, after merges, several; occurrences, tags, releases and environments are counted by key, so
 * that a split restores what a merge joined.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table debug_groups
      drop constraint debug_groups_state_check,
      add constraint debug_groups_state_check check (state in ('open', 'solved', 'regressed', 'snoozed', 'ignored')),
      add column title text not null default '',
      add column culprit text,
      add column level text check (level in ('fatal', 'error', 'warning', 'info', 'debug')),
      add column event_count integer not null default 0,
      add column assignee_id text references users on delete set null,
      add column solved_in text,
      add column snoozed_until timestamptz,
      add column snoozed_count integer,
      add column merged_into text references debug_groups (id) on delete set null,
      add column first_release text,
      add column last_release text,
      add column investigation text not null default 'done' check (investigation in ('waiting', 'running', 'done', 'failed')),
      add column investigated_at timestamptz;
    update debug_groups g set title = s.title
      from (
        select distinct on (project_id, fingerprint) project_id, fingerprint, title from debug_sessions
        where not draft order by project_id, fingerprint, created_at desc
      ) s
      where s.project_id = g.project_id and s.fingerprint = g.fingerprint;
    create index debug_groups_first_seen on debug_groups (project_id, first_seen desc, id desc);
    create index debug_groups_count on debug_groups (project_id, count desc, id desc);
    create index debug_groups_waiting on debug_groups (project_id, count desc) where investigation in ('waiting', 'running');
    create index debug_groups_snoozed on debug_groups (snoozed_until) where state = 'snoozed';
    create index debug_groups_merged on debug_groups (merged_into) where merged_into is not null;

    create table debug_group_keys (
      project_id text not null,
      key text not null,
      fingerprint text not null,
      title text not null default '',
      count integer not null default 0,
      event_count integer not null default 0,
      first_seen timestamptz not null default now(),
      last_seen timestamptz not null default now(),
      primary key (project_id, key),
      foreign key (project_id, fingerprint) references debug_groups on delete cascade
    );
    create index debug_group_keys_of_group on debug_group_keys (project_id, fingerprint);
    insert into debug_group_keys (project_id, key, fingerprint, title, count, first_seen, last_seen)
      select project_id, fingerprint, fingerprint, title, count, first_seen, last_seen from debug_groups;

    alter table debug_group_days rename column fingerprint to key;
    alter table debug_group_days
      drop constraint debug_group_days_project_id_fingerprint_fkey,
      add foreign key (project_id, key) references debug_group_keys on delete cascade;

    create table debug_group_hours (
      project_id text not null,
      key text not null,
      hour timestamptz not null,
      count integer not null,
      primary key (project_id, key, hour),
      foreign key (project_id, key) references debug_group_keys on delete cascade
    );
    create index debug_group_hours_old on debug_group_hours (hour);

    create table debug_group_values (
      project_id text not null,
      key text not null,
      kind text not null check (kind in ('tag', 'release', 'environment')),
      name text not null,
      value text not null,
      count integer not null,
      first_seen timestamptz not null,
      last_seen timestamptz not null,
      primary key (project_id, key, kind, name, value),
      foreign key (project_id, key) references debug_group_keys on delete cascade
    );
    create index debug_group_values_found on debug_group_values (project_id, kind, name, value);

    alter table debug_sessions add column key text;
  `.execute(db);
}
