import { type Kysely, sql } from 'kysely';

/**
 * Proofs of debug sessions with the outcome and the log of each run, and results of earlier runs by command and tree. The owner of
 * a project allows running its code, which is off by default.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects
      add column may_run boolean not null default false,
      add column setup_command text,
      add column setup_hosts jsonb not null default '[]',
      add column check_command text;

    create table proofs (
      project_id text not null,
      id text not null unique,
      session_id text not null,
      user_id text references users on delete set null,
      draft boolean not null default false,
      kind text not null check (kind in ('reproduce', 'bisect', 'verify')),
      source text not null default 'server' check (source in ('server', 'upload')),
      state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
      request jsonb not null,
      ending text,
      first_bad text,
      verified_tree text,
      result jsonb,
      failure jsonb,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      primary key (project_id, id),
      foreign key (project_id, session_id) references debug_sessions on delete cascade
    );
    create index proofs_of_session on proofs (project_id, session_id, id desc);
    create index proofs_of_user on proofs (user_id);
    create index unfinished_proofs on proofs (created_at) where state in ('queued', 'running');
    create index proofs_of_tree on proofs (project_id, verified_tree) where verified_tree is not null;

    create table proof_runs (
      project_id text not null,
      proof_id text not null,
      number integer not null,
      commit text not null,
      message text not null,
      purpose text not null,
      outcome text not null check (outcome in ('good', 'bad', 'skip')),
      skip_reason text,
      ms integer not null,
      log text,
      log_truncated boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (project_id, proof_id, number),
      foreign key (project_id, proof_id) references proofs on delete cascade
    );
    create index proof_run_logs on proof_runs (created_at) where log is not null;

    create table proof_results (
      project_id text not null references projects on delete cascade,
      key text not null,
      outcome text not null check (outcome in ('good', 'bad', 'skip')),
      skip_reason text,
      ms integer not null,
      output text not null,
      created_at timestamptz not null default now(),
      primary key (project_id, key)
    );
    create index proof_results_by_age on proof_results (created_at);
  `.execute(db);
}
