import { type Kysely, sql } from 'kysely';

/** Stores the other readings of a question that are offered beside its answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table chat_messages add column readings jsonb`.execute(db);
}
