import { type Kysely, sql } from 'kysely';

/** Stores issues and pull requests of code hosts, the commits that belong to them, and the state of their import. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table issue_imports (
      project_id text primary key references projects on delete cascade,
      enabled boolean not null default false,
      state text not null default 'idle' check (state in ('idle', 'queued', 'running', 'waiting', 'failed')),
      api_url text,
      progress jsonb not null default '{}',
      received integer not null default 0,
      linked_commits integer not null default 0,
      started_at timestamptz,
      imported_at timestamptz,
      retry_at timestamptz,
      failure jsonb,
      created_at timestamptz not null default now()
    );

    create table issues (
      project_id text not null references projects on delete cascade,
      kind text not null check (kind in ('issue', 'pull_request')),
      number integer not null check (number > 0),
      title text not null,
      body text not null,
      state text not null check (state in ('open', 'closed', 'merged')),
      author text,
      labels text[] not null,
      branch text,
      merge_commit text,
      created_at timestamptz,
      updated_at timestamptz,
      closed_at timestamptz,
      size integer not null generated always as (octet_length(title) + octet_length(body)) stored,
      search tsvector not null generated always as (
        setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', body), 'D')
      ) stored,
      primary key (project_id, kind, number)
    );
    create index issues_by_time on issues (project_id, updated_at desc nulls last);
    create index issues_by_text on issues using gin (search);

    create table commit_issues (
      project_id text not null,
      commit text not null,
      kind text not null,
      number integer not null,
      source text not null check (source in ('message', 'merge', 'branch')),
      primary key (project_id, commit, kind, number),
      foreign key (project_id, kind, number) references issues on delete cascade
    );
    create index commit_issues_of_issue on commit_issues (project_id, kind, number);
  `.execute(db);
}
