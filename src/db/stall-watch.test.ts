import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connect, isDatabaseUnavailable, isOutcomeUnknown } from './connect.ts';
import { testDatabase } from './testing.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let link: Awaited<ReturnType<typeof startLink>>;
let pool: ReturnType<typeof connect>;

beforeAll(async () => {
  database = await testDatabase();
  link = await startLink(database.url);
});
beforeEach(() => {
  pool = connect(link.url, { watchUrl: link.url, timeoutMs: 300_000, connectTimeoutMs: 300_000 });
});
afterAll(async () => {
  await link?.close();
  await database?.close();
});

/** A way to the database that can stop to carry anything, as with a host that has gone or a process that is stopped. */
async function startLink(url: string, { delayMs = 0 } = {}) {
  const parts = new URL(url.replace('@/', '@localhost/'));
  const port = parts.searchParams.get('port') ?? '5432';
  const target = join(parts.searchParams.get('host')!, `.s.PGSQL.${port}`);
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-link-'));
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial(target);
    setTimeout(() => client.pipe(upstream).pipe(client), delayMs);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => client.destroy() && upstream.destroy());
    }
  });
  await new Promise<void>((ready) => server.listen(join(folder, `.s.PGSQL.${port}`), ready));
  parts.searchParams.set('host', folder);
  return {
    url: parts.href.replace('@localhost/', '@/'),
    pause: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

test('a query in flight ends when the database answers nothing; the next one has a new connection', async () => {
  const failing = pool.pool.query('select pg_sleep(300)').catch((error: unknown) => error);
  await expect
    .poll(() =>
      database.pool
        .query(
          "select 1 from pg_stat_activity where datname = current_database() and application_name = 'hindsight-watch' and query = 'select 1' and state = 'idle'",
        )
        .then(({ rowCount }) => rowCount),
    )
    .toBe(1);
  link.pause();
  const error = await failing;
  expect([isDatabaseUnavailable(error), isOutcomeUnknown(error)]).toEqual([true, true]);
  expect((await pool.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.close();
});

test('a slow query is no stall', async () => {
  const { rows } = await pool.pool.query("select 'slow' as is from pg_sleep(4)");
  expect(rows).toEqual([{ is: 'slow' }]);
  await pool.close();
});

test('a connection of the watch that takes long is no stall', async () => {
  const slow = await startLink(database.url, { delayMs: 3_000 });
  const watched = connect(database.url, { watchUrl: slow.url });
  const { rows } = await watched.pool.query("select 'slow' as is from pg_sleep(4)");
  expect(rows).toEqual([{ is: 'slow' }]);
  await watched.close();
  await slow.close();
});

test('a database that refuses connections fails the query by itself', async () => {
  const missing = link.url.replace(/\/test_[^?]*/, '/no_such_database');
  const refused = connect(missing, { watchUrl: missing });
  await expect(refused.pool.query('select 1')).rejects.toMatchObject({ code: '3D000' });
  await refused.close();
  await pool.close();
});
