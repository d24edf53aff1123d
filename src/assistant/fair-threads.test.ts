import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFairThreads } from './fair-threads.ts';

type FairThreads = ReturnType<typeof createFairThreads>;

const PROGRAM = new URL('./testing-worker.ts', import.meta.url);
const LONG_MS = 60_000;

let threads: FairThreads;
beforeEach(() => {
  threads = createFairThreads(PROGRAM, { threads: 2, threadsPerUser: 1 });
});
afterEach(async () => await threads.close());

/** The value of a task, or the reason of its error. */
async function outcome(
  name: 'spin' | 'wait',
  ms: number,
  {
    userId = 'loud',
    deadlineMs = LONG_MS,
    signal,
  }: { userId?: string; deadlineMs?: number; signal?: AbortSignal } = {},
): Promise<string> {
  return await threads
    .run<string>(name, { ms }, { userId, deadlineMs, signal })
    .catch((error) => error.reason ?? String(error));
}

test('one user never holds all threads, and has at most eight tasks waiting', async () => {
  const stop = new AbortController();
  const loud = Array.from({ length: 100 }, () => outcome('wait', LONG_MS, { signal: stop.signal }));
  expect(await outcome('wait', 1, { userId: 'quiet' })).toBe('waited');
  expect(threads.pending).toBe(9);
  stop.abort();
  const counts = Object.groupBy(await Promise.all(loud), (how) => how);
  expect(counts.busy).toHaveLength(91);
  expect(threads.pending).toBe(0);
});

test('a thread that ignores the stop message is replaced, and others continue', async () => {
  const began = performance.now();
  const [deaf, other] = await Promise.all([
    outcome('spin', LONG_MS, { deadlineMs: 300 }),
    outcome('wait', 2_500, { userId: 'quiet' }),
  ]);
  expect([deaf, other]).toEqual(['timed_out', 'waited']);
  expect(await outcome('spin', 1)).toBe('spun');
  expect(performance.now() - began).toBeLessThan(LONG_MS / 2);
});

test('a task that handles the stop message ends, and its thread remains', async () => {
  const stop = new AbortController();
  const stopped = outcome('wait', LONG_MS, { signal: stop.signal });
  await outcome('wait', 1, { userId: 'quiet' });
  stop.abort();
  expect(await stopped).toBe('stopped');
  expect(await outcome('wait', 1)).toBe('waited');
});
