import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { newId } from './ids.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import { testDatabase } from './testing.ts';

const database = await testDatabase();
const { db } = database;
afterAll(database.close);

async function addUser(email: string, username: string): Promise<string> {
  const id = newId();
  await db.insertInto('users').values({ id, email, username, password_hash: 'x', role: 'user' }).execute();
  return id;
}

test('migrating twice changes nothing', async () => {
  await migrate(db);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  expect(rows.map((row) => row.name)).toEqual(Object.keys(MIGRATIONS));
});

test('a failing migration leaves the schema as it was', async () => {
  const broken = {
    ...MIGRATIONS,
    '9999-broken': {
      up: async (transaction: typeof db) => {
        await sql`create table half_made (id text)`.execute(transaction);
        throw new Error('killed here');
      },
    },
  };
  await expect(migrate(db, broken)).rejects.toThrow('killed here');
  const { rows } = await sql`select to_regclass('half_made') as found`.execute(db);
  expect(rows).toEqual([{ found: null }]);
});

test('a database that a newer program has changed is refused in words', async () => {
  await sql`insert into kysely_migration values ('9999-tomorrow', now()::text)`.execute(db);
  await expect(migrate(db)).rejects.toThrow(/newer Hindsight \(9999-tomorrow\)/);
  await sql`delete from kysely_migration where name = '9999-tomorrow'`.execute(db);
});

test('emails and usernames are unique without regard to case', async () => {
  await addUser('ada@example.org', 'ada');
  await expect(addUser('ADA@example.org', 'other')).rejects.toThrow('users_email');
  await expect(addUser('other@example.org', 'Ada')).rejects.toThrow('users_username');
});
