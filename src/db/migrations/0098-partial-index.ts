import { type Kysely, sql } from 'kysely';

/** Keeps what a first index can be searched for before it is complete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column partial_index jsonb`.execute(db);
}
