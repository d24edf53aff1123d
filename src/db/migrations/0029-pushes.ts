import { type Kysely, sql } from 'kysely';

/**
 * Pushes with what exactly they send, pull requests with the error that they fix, and how a project's code host is called.
 * The owner of a project allows pushing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table projects
      add column may_push boolean not null default false,
      add column may_push_default boolean not null default false;

    alter table branches add column session_id text;

    create table pushes (
      project_id text not null references projects on delete cascade,
      id text not null,
      user_id text not null references users on delete cascade,
      branch text not null,
      target text not null,
      git_url text not null,
      head text not null,
      commits jsonb not null,
      force boolean not null,
      remote_head text,
      remote_head_known boolean not null,
      state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
      outcome text check (outcome in ('created', 'updated', 'replaced', 'unchanged')),
      failure jsonb,
      message text,
      url text,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      primary key (project_id, id)
    );
    create index pushes_of_user on pushes (project_id, user_id, id desc);

    create table code_hosts (
      project_id text primary key references projects on delete cascade,
      kind text not null check (kind in ('github', 'gitlab', 'gitea')),
      api_url text not null,
      git_url text not null,
      sealed_token text,
      created_by text references users on delete set null,
      created_at timestamptz not null default now()
    );

    create table pull_requests (
      project_id text not null references projects on delete cascade,
      id text not null,
      user_id text references users on delete set null,
      session_id text,
      host text not null,
      number integer not null,
      url text not null,
      branch text not null,
      target text not null,
      title text not null,
      state text not null check (state in ('open', 'merged', 'closed')),
      checks text check (checks in ('pending', 'passed', 'failed')),
      head text,
      merge_commit text,
      failure jsonb,
      created_at timestamptz not null default now(),
      checked_at timestamptz not null default now(),
      primary key (project_id, id),
      unique (project_id, host, number)
    );
    create index open_pull_requests on pull_requests (checked_at) where state = 'open';
  `.execute(db);
}
