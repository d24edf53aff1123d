import { pino } from 'pino';
import { createJobs } from './job-queue.ts';

// A worker process for tests to kill: it enqueues a job, reports that it started, and never completes it.
const [databaseUrl = ''] = process.argv.slice(2);
const jobs = createJobs({ databaseUrl, log: pino({ level: 'silent' }) });
jobs.define({
  name: 'long',
  concurrency: 1,
  retryLimit: 2,
  singletonKey: () => 'one',
  run: async (_data, context) => {
    process.send?.({ started: context.attempt });
    await new Promise(() => setInterval(() => {}, 1000));
  },
});
await jobs.start();
await jobs.send('long', {});
