import { once } from 'node:events';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { createJobs, type JobDefinition } from './job-queue.ts';
import { MIGRATIONS } from './migrate.ts';
import { testDatabase } from './testing.ts';

const database = await testDatabase();
afterAll(database.close);

async function startJobs(names: string[], run: JobDefinition['run'], { work }: { work: boolean }) {
  const jobs = createJobs({ databaseUrl: database.url, log: pino({ level: 'silent' }) });
  for (const name of names) {
    jobs.define({ name, concurrency: 1, retryLimit: 1, singletonKey: () => null, run });
  }
  await jobs.start({ work });
  return jobs;
}

test('jobs queued under a former name run under the present one', async () => {
  const before = await startJobs(['letter', 'news'], async () => {}, { work: false });
  await before.send('letter', { kind: 'account_leaving', userId: '1' });
  await before.send('news', { userId: '2' });
  await before.stop();

  const { db } = database;
  await MIGRATIONS['0026-error-reasons']!.up(db);

  const received: object[] = [];
  const arrivals = new EventTarget();
  const run = async (data: object) => {
    received.push(data);
    arrivals.dispatchEvent(new Event('job'));
  };
  const after = await startJobs(['email', 'digest'], run, { work: true });
  while (received.length < 2) await once(arrivals, 'job');
  await after.stop();
  expect(received).toHaveLength(2);
  expect(received).toEqual(
    expect.arrayContaining([{ kind: 'account_deletion', userId: '1' }, { userId: '2' }]),
  );
  const { rows } = await sql<{ name: string }>`
    select name from pgboss.queue where name not like '\\_\\_%' order by name`.execute(db);
  expect(rows.map(({ name }) => name)).toEqual(['digest', 'digest.dead', 'email', 'email.dead']);
});
