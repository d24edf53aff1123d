import { expect, test } from 'vitest';
import { runThread } from './thread.ts';

const serving = new URL('./thread.ts', import.meta.url);
const PROGRAM = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { threadId } from 'node:worker_threads';
    import { serveThread } from '${serving}';
    const held = [];
    serveThread(async ({ fails = false, holds = 0 }, { onProgress }) => {
      held.push(new Uint8Array(holds));
      onProgress({ phase: 'one' });
      if (fails) throw new Error('It broke.');
      return threadId;
    });`)}`,
);

function run(task: { fails?: boolean; holds?: number }, keepAs: string | null = 'small') {
  const listener = { onProgress: () => {}, signal: new AbortController().signal };
  return runThread<unknown, number>(PROGRAM, task, listener, keepAs);
}

test('a thread is kept for the next task of its name, unless it failed, holds much or has none', async () => {
  const first = await run({});
  expect(await run({})).toBe(first);
  // Two at once take two threads.
  const [one, two] = await Promise.all([run({}), run({})]);
  expect(one).not.toBe(two);
  const before = await run({});
  await expect(run({ fails: true })).rejects.toThrow('It broke.');
  const after = await run({ holds: 200 * 2 ** 20 });
  expect(after).not.toBe(before);
  expect(await run({})).not.toBe(after);
  expect(await run({}, null)).not.toBe(await run({}, null));
});

test('a kept thread hears of the next task alone, and ends with it when that is stopped', async () => {
  const first = await run({});
  const seen: unknown[] = [];
  const abort = new AbortController();
  const stopped = runThread(
    PROGRAM,
    {},
    { onProgress: (progress) => seen.push(progress), signal: abort.signal },
    'small',
  );
  abort.abort(new Error('Enough.'));
  await stopped.catch(() => {});
  expect(seen).toEqual([{ phase: 'one' }]);
  expect(await run({})).not.toBe(first);
});
