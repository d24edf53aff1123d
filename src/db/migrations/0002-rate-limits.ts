import { type Kysely, sql } from 'kysely';

/** Rate limit counters, shared by replicas and kept across restarts. */
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
