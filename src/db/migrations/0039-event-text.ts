import { type Kysely, sql } from 'kysely';

/** Stores events as the JSON text that they are written and read as, since no statement looks into them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table error_events alter column event type json using event::json`.execute(db);
}
