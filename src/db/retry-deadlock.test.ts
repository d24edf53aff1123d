import { afterAll, expect, test } from 'vitest';
import { retryDeadlock } from './retry-deadlock.ts';
import { testDatabase } from './testing.ts';

const database = await testDatabase();
afterAll(database.close);

/** Updates the rows in this order, in one transaction, waiting after the first until `met` resolves. */
async function updateInOrder(ids: [number, number], met: () => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('update pairs set times = times + 1 where id = $1', [ids[0]]);
    await met();
    await client.query('update pairs set times = times + 1 where id = $1', [ids[1]]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

test('a transaction that PostgreSQL ended to resolve a deadlock is run again', async () => {
  await database.pool.query('create table pairs (id int primary key, times int not null)');
  await database.pool.query('insert into pairs values (1, 0), (2, 0)');
  const both = Promise.withResolvers<void>();
  let arrived = 0;
  let runs = 0;
  const met = () => {
    arrived += 1;
    if (arrived === 2) both.resolve();
    return both.promise;
  };
  const transaction = (ids: [number, number]) =>
    retryDeadlock(() => {
      runs += 1;
      return updateInOrder(ids, met);
    });
  await Promise.all([transaction([1, 2]), transaction([2, 1])]);
  expect(runs).toBe(3);
  const { rows } = await database.pool.query('select times from pairs order by id');
  expect(rows).toEqual([{ times: 2 }, { times: 2 }]);
});

test('other errors are thrown at once', async () => {
  let runs = 0;
  const failing = retryDeadlock(() => {
    runs += 1;
    return database.pool.query('select from nowhere');
  });
  await expect(failing).rejects.toThrow('nowhere');
  expect(runs).toBe(1);
});
