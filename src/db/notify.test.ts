import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { createNotifier } from './notify.ts';
import { testDatabase } from './testing.ts';

const database = await testDatabase();
const log = pino({ level: 'silent' });
const [one, other] = await Promise.all([
  createNotifier(database.url, { log }),
  createNotifier(database.url, { log }),
]);
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.close();
});

test('a payload reaches the subscribers of its channel on every replica', async () => {
  const otherProcess: string[] = [];
  other.subscribe('elsewhere', (payload) => otherProcess.push(payload));
  const here = Promise.withResolvers<string>();
  const there = Promise.withResolvers<string>();
  one.subscribe('Projects', here.resolve);
  other.subscribe('Projects', there.resolve);
  await other.publish('elsewhere', 'listening');
  await one.publish('Projects', '{"id":1}');
  expect(await Promise.all([here.promise, there.promise])).toEqual(['{"id":1}', '{"id":1}']);
  expect(otherProcess).toEqual(['listening']);
});

test('after a lost connection it listens again and says that messages may be missing', async () => {
  const gap = Promise.withResolvers<void>();
  const after = Promise.withResolvers<string>();
  other.subscribe('jobs', after.resolve, gap.resolve);
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'hindsight-notify' and datname = current_database()`,
  );
  await gap.promise;
  await expect
    .poll(
      () =>
        one.publish('jobs', 'again').then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  expect(await after.promise).toBe('again');
});

test('nothing arrives after unsubscribing', async () => {
  const received: string[] = [];
  const stop = one.subscribe('quiet', (payload) => received.push(payload));
  const last = Promise.withResolvers<string>();
  one.subscribe('quiet', last.resolve);
  stop();
  await one.publish('quiet', 'said');
  await last.promise;
  expect(received).toEqual([]);
});
