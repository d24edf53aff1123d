import { type Kysely, sql } from 'kysely';

/** How often something was tried, so that every replica counts alike and a restart forgives nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rate_limits (
      key text primary key,
      count integer not null,
      last_at timestamptz not null,
      resets_at timestamptz not null
    );
    create index rate_limits_ended on rate_limits (resets_at);
  `.execute(db);
}
