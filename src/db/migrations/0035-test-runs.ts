import { type Kysely, sql } from 'kysely';

/** Stores test runs: tests by a number each, outcomes as lists of numbers, and texts of the newest failures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table test_runs (
      project_id text not null references projects on delete cascade,
      id text not null,
      commit text not null,
      branch text,
      suite text not null,
      passed integer[] not null,
      failed integer[] not null,
      flaky integer[] not null,
      skipped integer[] not null,
      created_by text references users on delete set null,
      created_at timestamptz not null default now(),
      primary key (project_id, id)
    );
    create index test_runs_of_suite on test_runs (project_id, suite, created_at desc);
    create index test_runs_created_by on test_runs (created_by);

    create table project_tests (
      project_id text not null references projects on delete cascade,
      id integer not null generated always as identity,
      key text not null,
      suite text not null,
      scope text not null,
      name text not null,
      file text,
      state text not null default 'passing' check (state in ('passing', 'flaky', 'broken', 'new', 'unknown')),
      verdict jsonb,
      failed_at timestamptz,
      failed_commit text,
      failure text,
      last_seen timestamptz not null default now(),
      primary key (project_id, id),
      unique (project_id, key)
    );
    create index project_tests_by_state on project_tests (project_id, state, failed_at desc) where state <> 'passing';
    create index project_tests_failed on project_tests (project_id, suite, failed_at desc) where failed_at is not null;
  `.execute(db);
}
