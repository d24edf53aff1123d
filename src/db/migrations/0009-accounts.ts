import { type Kysely, sql } from 'kysely';

/**
 * Accounts in full: confirmed email addresses, two-factor authentication, linked sign-in providers, invitations, deletion.
 * A user who signs in with a provider only has no password.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      alter column password_hash drop not null,
      add column email_verified_at timestamptz,
      add column pending_email text,
      add column totp_secret text,
      add column totp_pending text,
      add column totp_last_step bigint,
      add column deletion_at timestamptz;
    create index users_leaving on users (deletion_at) where deletion_at is not null;

    drop table password_resets;
    create table one_time_secrets (
      digest text primary key,
      purpose text not null,
      user_id text references users on delete cascade,
      data jsonb not null,
      expires_at timestamptz not null
    );
    create index one_time_secrets_of_user on one_time_secrets (user_id, purpose);
    create index one_time_secrets_ended on one_time_secrets (expires_at);

    create table recovery_codes (
      user_id text not null references users on delete cascade,
      digest text not null,
      primary key (user_id, digest)
    );

    create table identities (
      provider text not null check (provider in ('github', 'google')),
      subject text not null,
      user_id text not null references users on delete cascade,
      name text not null,
      created_at timestamptz not null default now(),
      primary key (provider, subject),
      unique (user_id, provider)
    );

    create table signup_invitations (
      id text primary key,
      digest text not null unique,
      email text,
      invited_by text references users on delete set null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
  `.execute(db);
}
