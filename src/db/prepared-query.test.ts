import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { newId } from './ids.ts';
import { prepareQuery } from './prepared-query.ts';
import { testDatabase } from './testing.ts';

let url: string;
beforeAll(async () => {
  const database = await testDatabase();
  url = database.url;
  return database.close;
});

const queryPlans = prepareQuery((db, values: { username: string; plan: string }) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('subscription_plan', '=', sql<'free'>`${values.plan}`)
    .where('username', 'like', sql<string>`${values.username} || ${'%'}`),
);

test('a query is prepared once for a connection, and has the values of each call', async () => {
  const { db, pool, close } = connect(url, { max: 1, connectTimeoutMs: 60_000, prepares: true });
  for (const username of ['ada', 'bob']) {
    const email = `${username}@example.org`;
    await db
      .insertInto('users')
      .values({ id: newId(), email, username, password_hash: 'x', role: 'user' })
      .execute();
  }
  const names = async (username: string, plan = 'free') =>
    (await queryPlans(db, { username, plan })).map((row) => row.username);
  expect([await names('a'), await names('b'), await names('a', 'pro')]).toEqual([['ada'], ['bob'], []]);
  expect(await names("a' or true --")).toEqual([]);
  expect(await preparedStatements()).toHaveLength(1);

  // A migration of a newer server.
  await pool.query('alter table users add column added_later integer default 7');
  expect(await queryPlans(db, { username: 'ada', plan: 'free' })).toMatchObject([{ added_later: 7 }]);
  await expect(
    db.transaction().execute(async (trx) => await queryPlans(trx, { username: 'ada', plan: 'free' })),
  ).resolves.toHaveLength(1);
  await close();

  async function preparedStatements() {
    return (await pool.query('select name from pg_prepared_statements')).rows;
  }
});

test('a connection that may be a pooler prepares nothing', async () => {
  const { db, pool, close } = connect(url, { max: 1, connectTimeoutMs: 60_000 });
  expect(await queryPlans(db, { username: 'nobody', plan: 'free' })).toEqual([]);
  expect((await pool.query('select name from pg_prepared_statements')).rows).toEqual([]);
  await close();
});
