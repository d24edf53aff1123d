import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { prepareQuery } from './prepared-query.ts';
import { testDatabase } from './testing.ts';
import { PGBOUNCER, startPgBouncer } from './testing-pgbouncer.ts';

const POOL_SIZE = 2;

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe.skipIf(PGBOUNCER === null).each(['transaction', 'session'] as const)(
  'PgBouncer in %s mode',
  (mode) => {
    let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
    beforeAll(async () => {
      pooler = await startPgBouncer(database.url, mode, POOL_SIZE);
    });
    afterAll(() => pooler.close());

    test('carries queries and transactions of more connections than it has', async () => {
      const count = mode === 'transaction' ? 6 : POOL_SIZE;
      const { db, close } = connect(pooler.url, { max: count, connectTimeoutMs: 60_000 });
      const keys = Array.from({ length: 30 }, (_, index) => `${mode}-${index}`);
      await Promise.all(
        keys.map((key) =>
          db.transaction().execute(async (trx) => {
            await trx
              .insertInto('settings')
              .values({ key, value: JSON.stringify(key) })
              .execute();
            await trx.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirstOrThrow();
          }),
        ),
      );
      const rows = await db.selectFrom('settings').select('key').where('key', 'in', keys).execute();
      expect(rows).toHaveLength(keys.length);
      await close();
    });

    test.runIf(mode === 'session')('carries prepared statements', async () => {
      const queryKeys = prepareQuery((db, { key }: { key: string }) =>
        db.selectFrom('settings').select('key').where('key', '=', key),
      );
      for (const key of ['first', 'second']) {
        const { db, close } = connect(pooler.url, { max: 1, connectTimeoutMs: 60_000, prepares: true });
        await db
          .insertInto('settings')
          .values({ key, value: JSON.stringify(key) })
          .execute();
        for (let call = 0; call < 2; call++) expect(await queryKeys(db, { key })).toEqual([{ key }]);
        await close();
      }
    });
  },
);
