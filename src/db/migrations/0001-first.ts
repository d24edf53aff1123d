import { type Kysely, sql } from 'kysely';

/** People, projects and what was asked of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id text primary key,
      email text not null,
      username text not null,
      password_hash text not null,
      full_name text,
      bio text,
      location text,
      website text,
      role text not null check (role in ('admin', 'user')),
      subscription_plan text not null default 'free' check (subscription_plan in ('free', 'pro', 'enterprise')),
      is_active boolean not null default true,
      email_notifications boolean not null default true,
      push_notifications boolean not null default true,
      theme text not null default 'light' check (theme in ('light', 'dark', 'system')),
      language text not null default 'en' check (language in ('en', 'es', 'fr', 'de')),
      created_at timestamptz not null default now()
    );
    create unique index users_email on users (lower(email));
    create unique index users_username on users (lower(username));

    create table sessions (
      id text primary key,
      user_id text not null references users on delete cascade,
      counter integer not null default 0,
      remember boolean not null,
      user_agent text,
      created_at timestamptz not null default now(),
      rotated_at timestamptz not null default now(),
      last_seen timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index sessions_of_user on sessions (user_id, last_seen desc);

    create table projects (
      id text primary key,
      name text not null,
      git_url text not null,
      description text,
      status text not null
        check (status in ('queued', 'cloning', 'reading', 'indexing', 'ready', 'failed')),
      activity jsonb,
      failure jsonb,
      branch text,
      indexed_commit text,
      indexed_at timestamptz,
      coverage jsonb,
      shard_generation text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table project_members (
      project_id text not null references projects on delete cascade,
      user_id text not null references users on delete cascade,
      role text not null check (role in ('owner', 'editor', 'viewer')),
      created_at timestamptz not null default now(),
      primary key (project_id, user_id)
    );
    create index project_members_of_user on project_members (user_id);

    create table credentials (
      project_id text primary key references projects on delete cascade,
      host text not null,
      username text,
      sealed text not null,
      created_at timestamptz not null default now()
    );

    create table ingest_runs (
      project_id text not null references projects on delete cascade,
      id text not null,
      kind text not null check (kind in ('import', 'refresh')),
      state text not null check (state in ('running', 'done', 'failed')),
      started_at timestamptz not null default now(),
      finished_at timestamptz,
      phases jsonb,
      failure jsonb,
      primary key (project_id, id)
    );

    create table debug_groups (
      project_id text not null references projects on delete cascade,
      fingerprint text not null,
      state text not null default 'open' check (state in ('open', 'solved', 'regressed')),
      first_seen timestamptz not null default now(),
      last_seen timestamptz not null default now(),
      count integer not null default 1,
      primary key (project_id, fingerprint)
    );

    create table debug_sessions (
      project_id text not null references projects on delete cascade,
      id text not null unique,
      user_id text not null references users on delete cascade,
      number integer not null,
      fingerprint text not null,
      title text not null,
      request jsonb not null,
      answer jsonb not null,
      created_at timestamptz not null default now(),
      primary key (project_id, id),
      unique (user_id, number),
      foreign key (project_id, fingerprint) references debug_groups on delete cascade
        deferrable initially deferred
    );
    create index debug_sessions_newest on debug_sessions (project_id, created_at desc);
    create index debug_sessions_of_group on debug_sessions (project_id, fingerprint, created_at desc);

    create table feedback (
      project_id text not null,
      id text not null,
      session_id text not null,
      user_id text not null references users on delete cascade,
      helpful boolean not null,
      comments text,
      created_at timestamptz not null default now(),
      primary key (project_id, id),
      unique (session_id, user_id),
      foreign key (project_id, session_id) references debug_sessions on delete cascade
    );

    create table settings (
      key text primary key,
      value jsonb not null,
      updated_at timestamptz not null default now()
    );
  `.execute(db);
}
