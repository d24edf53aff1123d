import { type Kysely, sql } from 'kysely';

/**
 * Settings of a project: its branch and schedule, paths that stay out of the index or away from models, deployed folders,
 * and instructions; what the index was built with, and figures for lists of projects.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects
      add column chosen_branch text,
      add column refresh_hours integer check (refresh_hours in (1, 6, 24, 168)),
      add column excluded_paths jsonb not null default '[]',
      add column model_excluded_paths jsonb not null default '[]',
      add column path_mappings jsonb not null default '[]',
      add column instructions text,
      add column indexed_exclusions jsonb not null default '[]',
      add column behind integer,
      add column commit_weeks jsonb;
    create index projects_scheduled on projects (fetched_at) where refresh_hours is not null;

    alter table ingest_runs add column details jsonb;
  `.execute(db);
}
