import { type Kysely, sql } from 'kysely';

/** Tokens of SCIM clients, and the names by which a directory knows accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scim_tokens (
      id text primary key,
      name text not null,
      prefix text not null,
      digest text not null unique,
      created_by text references users on delete set null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );

    alter table users
      add column external_id text,
      add column scim_user_name text,
      add column scim_removed_at timestamptz;
    create unique index users_external_id on users (external_id);
    create unique index users_scim_user_name on users (lower(scim_user_name));
  `.execute(db);
}
