import { pino } from 'pino';
import { createJobs } from './queue.ts';

// A worker process for tests to kill: it sends itself a job, takes it, says so, and never
// finishes it.
const [databaseUrl = ''] = process.argv.slice(2);
const jobs = createJobs({ databaseUrl, log: pino({ level: 'silent' }) });
jobs.define('long', { concurrency: 1, retryLimit: 2, singleton: () => 'one' }, async (_data, context) => {
  process.send?.({ started: context.attempt });
  await new Promise(() => setInterval(() => {}, 1000));
});
await jobs.start();
await jobs.send('long', {});
