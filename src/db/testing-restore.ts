import { readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { MIGRATIONS, migrate } from './migrate.ts';
import type { Database } from './schema.ts';

/** Rows by table, in the order of their foreign keys, as they were stored when 0016 was the newest migration. */
export const OLD_ROWS = JSON.parse(
  readFileSync(new URL('./fixtures/database-0016.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, unknown>[]>;

/** Replaces everything in a database by the schema and the rows of version 0016. */
export async function restoreOldDatabase(db: Kysely<Database>): Promise<void> {
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrate(db, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0017')));
  for (const [table, rows] of Object.entries(OLD_ROWS)) {
    const values = sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})`;
    await sql`insert into ${sql.table(table)} select * from ${values}`.execute(db);
  }
}
