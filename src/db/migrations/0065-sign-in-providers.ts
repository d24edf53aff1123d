import { type Kysely, sql } from 'kysely';

/** OpenID Connect issuers of administrators; roles that groups of an issuer granted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identities drop constraint identities_provider_check;

    create table sign_in_providers (
      id text primary key,
      name text not null,
      issuer text not null,
      client_id text not null,
      sealed_secret text not null,
      scopes text not null,
      groups_claim text not null,
      admin_groups jsonb not null default '[]',
      created_at timestamptz not null default now()
    );

    alter table users add column role_source text;
  `.execute(db);
}
