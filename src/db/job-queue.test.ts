import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, type TestContext, test } from 'vitest';
import { createJobs, type JobContext, type JobDefinition } from './job-queue.ts';
import { testDatabase } from './testing.ts';

const database = await testDatabase();
afterAll(database.close);

interface Data {
  key: string | null;
}

/** A queue with one job called `name`, stopped when the test ends. */
async function startJobs(
  { onTestFinished }: TestContext,
  name: string,
  run: JobDefinition<Data>['run'],
  options = { concurrency: 2, retryLimit: 2 },
) {
  const jobs = createJobs({ databaseUrl: database.url, log: pino({ level: 'silent' }) });
  jobs.define<Data>({ name, ...options, singletonKey: (data) => data.key, run });
  await jobs.start();
  onTestFinished(jobs.stop);
  return jobs;
}

async function jobStates(name: string): Promise<string[]> {
  const { rows } = await database.pool.query('select state from pgboss.job where name = $1', [name]);
  return rows.map((row) => row.state);
}

// Mostly they wait for the queue: side by side.
test.concurrent('of jobs with one key one runs and one is queued; other jobs run concurrently', async (context) => {
  const { expect } = context;
  const release = Promise.withResolvers<void>();
  const busy = Promise.withResolvers<void>();
  const seen: string[] = [];
  const first = new Set<string>();
  const jobs = await startJobs(context, 'keyed', async ({ key }) => {
    seen.push(`${key} begins`);
    if (key === 'a' && !first.has('a')) {
      first.add('a');
      busy.resolve();
      await release.promise;
    }
    seen.push(`${key} ends`);
  });
  expect(await jobs.send('keyed', { key: 'a' })).toBe(true);
  await busy.promise;
  expect(await jobs.send('keyed', { key: 'a' })).toBe(true);
  expect(await jobs.send('keyed', { key: 'a' })).toBe(false);
  await jobs.send('keyed', { key: null });
  await jobs.send('keyed', { key: 'b' });
  await expect.poll(() => seen, { timeout: 60_000 }).toContain('b ends');
  expect(seen.filter((line) => line.startsWith('a'))).toEqual(['a begins']);
  release.resolve();
  await expect
    .poll(() => seen.filter((line) => line.startsWith('a')), { timeout: 60_000 })
    .toEqual(['a begins', 'a ends', 'a begins', 'a ends']);
  await expect.poll(() => jobStates('keyed')).toEqual(Array(4).fill('completed'));
});

test.concurrent('groups take turns, and one job of each runs at a time', async (context) => {
  const { expect, onTestFinished } = context;
  const jobs = createJobs({ databaseUrl: database.url, log: pino({ level: 'silent' }) });
  onTestFinished(jobs.stop);
  const order: string[] = [];
  const releases: (() => void)[] = [];
  const running = new Map<string, number>();
  let most = 0;
  jobs.define<{ owner: string; number: number }>({
    name: 'grouped',
    concurrency: 2,
    retryLimit: 0,
    singletonKey: () => null,
    group: async ({ owner }) => owner,
    run: async ({ owner, number }) => {
      order.push(`${owner}${number}`);
      running.set(owner, (running.get(owner) ?? 0) + 1);
      most = Math.max(most, ...running.values());
      const { promise, resolve } = Promise.withResolvers<void>();
      releases.push(resolve);
      await promise;
      running.set(owner, running.get(owner)! - 1);
    },
  });
  await jobs.start();
  for (const owner of ['a', 'b']) {
    for (let number = 1; number <= 4; number++) await jobs.send('grouped', { owner, number });
  }
  await expect.poll(() => order, { timeout: 60_000 }).toHaveLength(2);
  expect(order).toEqual(['a1', 'b1']);
  // Who comes last and has nothing waiting is served before anybody's next one.
  await jobs.send('grouped', { owner: 'c', number: 1 });
  releases.shift()!();
  await expect.poll(() => order, { timeout: 60_000 }).toHaveLength(3);
  expect(order[2]).toBe('c1');
  while (order.length < 9) {
    releases.shift()?.();
    await expect.poll(() => releases.length > 0 || order.length === 9, { timeout: 60_000 }).toBe(true);
  }
  for (const release of releases) release();
  expect(most).toBe(1);
});

test.concurrent('queued jobs follow each other at once', async (context) => {
  const { expect } = context;
  const options = { concurrency: 1, retryLimit: 0 };
  const jobs = await startJobs(context, 'in-a-row', async () => undefined, options);
  for (let number = 1; number <= 60; number += 1) await jobs.send('in-a-row', { key: null });
  // With a wait for the next poll between two jobs it would take two minutes.
  await expect.poll(() => jobStates('in-a-row'), { timeout: 60_000 }).toEqual(Array(60).fill('completed'));
});

test.concurrent('a job that waits long comes earlier where one with its key would', async (context) => {
  const { expect } = context;
  const started = Promise.withResolvers<void>();
  const jobs = await startJobs(context, 'expedited', async () => started.resolve());
  expect(await jobs.send('expedited', { key: 'a' }, { delayS: 3_600 })).toBe(true);
  expect(await jobs.send('expedited', { key: 'a' }, { delayS: 1 })).toBe(false);
  expect(await jobStates('expedited')).toEqual(['created']);
  expect(await jobs.send('expedited', { key: 'a' }, { delayS: 7_200, expedite: true })).toBe(false);
  expect(await jobs.send('expedited', { key: 'a' }, { delayS: 1, expedite: true })).toBe(false);
  await started.promise;
});

test.concurrent('a failing job is retried, then becomes a dead letter', async (context) => {
  const { expect } = context;
  const attempts: number[] = [];
  const jobs = await startJobs(
    context,
    'failing',
    async (_data, { attempt }) => {
      attempts.push(attempt);
      throw new Error('broken');
    },
    { concurrency: 1, retryLimit: 1 },
  );
  await jobs.send('failing', { key: 'a' });
  await expect.poll(() => jobStates('failing.dead'), { timeout: 60_000 }).toEqual(['created']);
  expect(attempts).toEqual([1, 2]);
});

test.concurrent('shutdown returns a running job to the queue with all its attempts', async (context) => {
  const { expect } = context;
  const running = Promise.withResolvers<JobContext>();
  const stopped = await startJobs(context, 'given-back', async (_data, job) => {
    running.resolve(job);
    await once(job.signal, 'abort');
    throw job.signal.reason;
  });
  await stopped.send('given-back', { key: 'a' });
  expect(await (await running.promise).isClaimed()).toBe(true);
  await stopped.stop();
  const again = Promise.withResolvers<number>();
  await startJobs(context, 'given-back', async (_data, { attempt }) => again.resolve(attempt));
  expect(await again.promise).toBe(1);
});

test.concurrent('a job of a killed process runs again', async ({ expect, onTestFinished }) => {
  const worker = fork(join(import.meta.dirname, 'testing-worker.ts'), [database.url], { execArgv: [] });
  const runs: number[] = [];
  const jobs = createJobs({ databaseUrl: database.url, log: pino({ level: 'silent' }) });
  onTestFinished(jobs.stop);
  jobs.define({
    name: 'long',
    concurrency: 1,
    retryLimit: 2,
    singletonKey: () => 'one',
    run: async (_data, { attempt }) => {
      runs.push(attempt);
    },
  });
  await once(worker, 'message');
  worker.kill('SIGKILL');
  await jobs.start();
  await expect.poll(() => jobStates('long'), { timeout: 60_000 }).toEqual(['completed']);
  expect(runs).toEqual([2]);
});
