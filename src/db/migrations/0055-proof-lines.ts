import { type Kysely, sql } from 'kysely';

/** Executed lines of a failing run, by the commits that wrote them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table proof_results add column lines jsonb`.execute(db);
}
