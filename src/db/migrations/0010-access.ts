import { type Kysely, sql } from 'kysely';

/** Access to projects: invitations, API keys, SSH keys of private repositories, and the security log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_events (
      id text primary key,
      user_id text references users on delete cascade,
      event text not null,
      ip text,
      device text,
      detail jsonb not null default '{}',
      created_at timestamptz not null default now()
    );
    create index audit_events_of_user on audit_events (user_id, id desc);

    create table api_keys (
      id text primary key,
      user_id text not null references users on delete cascade,
      name text not null,
      prefix text not null,
      digest text not null unique,
      scope text not null check (scope in ('read', 'write')),
      project_id text references projects on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz
    );
    create index api_keys_of_user on api_keys (user_id, id desc);

    create table project_invitations (
      id text primary key,
      project_id text not null references projects on delete cascade,
      digest text not null unique,
      role text not null check (role in ('editor', 'viewer')),
      email text,
      invited_by text not null references users on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create index project_invitations_of_project on project_invitations (project_id, id desc);

    alter table credentials
      add column kind text not null default 'token' check (kind in ('token', 'ssh')),
      add column public_key text,
      add column host_keys text,
      add column made_by text references users on delete set null;

    create unique index project_members_one_owner on project_members (project_id) where role = 'owner';
  `.execute(db);
}
