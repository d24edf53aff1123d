import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { createFairQueue } from './fair-queue.ts';

type Slot = Awaited<ReturnType<ReturnType<typeof createFairQueue>['acquire']>>;

type FairQueueLimits = Parameters<typeof createFairQueue>[0];

const WIDE: FairQueueLimits = {
  maxRunning: 1,
  maxRunningPerUser: 1,
  maxWaiting: 1000,
  maxWaitingPerUser: 1000,
};
const LONG_MS = 60_000;

/** A task that runs until it is ended. */
interface Held {
  id: number;
  userId: string;
  slot: Slot;
}

/** A queue whose tasks run until the test ends them, oldest first. */
function setUp(limits: FairQueueLimits) {
  const queue = createFairQueue(limits);
  const started: Held[] = [];
  const held: Held[] = [];
  const settled: Promise<{ id: number; reason: string | null }>[] = [];
  const add = (id: number, userId: string, options: { signal?: AbortSignal; deadlineMs?: number } = {}) => {
    const acquired = queue.acquire({ userId, deadlineMs: LONG_MS, ...options });
    settled.push(
      acquired.then(
        (slot) => {
          const task = { id, userId, slot };
          started.push(task);
          held.push(task);
          return { id, reason: null };
        },
        (error: AppError) => ({ id, reason: error.reason ?? error.code }),
      ),
    );
  };
  const end = async (index = 0) => {
    const [task] = held.splice(index, 1);
    task?.slot.release();
    await Promise.resolve();
    await sleep(0);
    return task !== undefined;
  };
  return { queue, add, end, started, held, settled };
}

const users = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 });

test('a task waits for at most one task of each other user a round', async () => {
  await fc.assert(
    fc.asyncProperty(users, async (order) => {
      const { add, end, started, settled } = setUp(WIDE);
      for (const [id, userId] of order.entries()) add(id, userId);
      await sleep(0);
      while (await end());
      expect(await Promise.all(settled)).toHaveLength(order.length);
      expect(started).toHaveLength(order.length);
      for (const userId of new Set(order)) {
        const turns = started.flatMap((task, place) => (task.userId === userId ? [place] : []));
        // The first began before there was any order to keep.
        const gaps = turns.map((place, index) =>
          started.slice(Math.max(turns[index - 1] ?? 0, 0) + 1, place),
        );
        for (const gap of gaps) {
          const others = gap.map((task) => task.userId).filter((other) => other !== userId);
          expect(new Set(others).size).toBe(others.length);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('no more run or wait than the limits allow, and every promise settles', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), userId: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('abort' as const), task: fc.nat(60) }),
    fc.record({ kind: fc.constant('end' as const), index: fc.nat(3) }),
  );
  const limits = fc.record({
    maxRunning: fc.integer({ min: 1, max: 4 }),
    maxRunningPerUser: fc.integer({ min: 1, max: 3 }),
    maxWaiting: fc.integer({ min: 1, max: 10 }),
    maxWaitingPerUser: fc.integer({ min: 1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), async (limits, steps) => {
      const { queue, add, end, held, started, settled } = setUp(limits);
      const controllers: AbortController[] = [];
      const abortedWaiting = new Set<number>();
      for (const one of steps) {
        if (one.kind === 'add') {
          const controller = new AbortController();
          add(controllers.push(controller) - 1, one.userId, { signal: controller.signal });
          await sleep(0);
        } else if (one.kind === 'abort') {
          if (!started.some(({ id }) => id === one.task)) abortedWaiting.add(one.task);
          controllers[one.task]?.abort();
          await sleep(0);
        } else await end(one.index % Math.max(held.length, 1));
        for (const userId of ['a', 'b', 'c']) {
          const running = held.filter((task) => task.userId === userId).length;
          expect(running).toBeLessThanOrEqual(limits.maxRunningPerUser);
        }
        expect(queue.running).toBe(held.length);
        expect(queue.running).toBeLessThanOrEqual(limits.maxRunning);
        expect(queue.waiting).toBeLessThanOrEqual(limits.maxWaiting);
      }
      while (await end());
      expect(await Promise.all(settled)).toHaveLength(controllers.length);
      expect([queue.running, queue.waiting]).toEqual([0, 0]);
      const known = [...abortedWaiting].filter(
        (id) => id < controllers.length && controllers[id]!.signal.aborted,
      );
      for (const id of known) expect(started.map((task) => task.id)).not.toContain(id);
    }),
    { numRuns: 40 },
  );
});

describe('a full queue', () => {
  test('refuses only the user with too many waiting tasks', async () => {
    const { add, end, settled } = setUp({ ...WIDE, maxWaitingPerUser: 2 });
    for (let id = 0; id < 5; id++) add(id, 'loud');
    add(5, 'quiet');
    await sleep(0);
    while (await end());
    const reasons = (await Promise.all(settled)).map(({ reason }) => reason);
    expect(reasons).toEqual([null, null, null, 'busy', 'busy', null]);
  });

  test('makes room for a new user at the cost of the longest queue', async () => {
    const { add, end, settled } = setUp({ ...WIDE, maxWaiting: 4 });
    for (let id = 0; id < 5; id++) add(id, 'loud');
    add(5, 'quiet');
    await sleep(0);
    while (await end());
    const reasons = (await Promise.all(settled)).map(({ reason }) => reason);
    expect(reasons).toEqual([null, null, null, null, 'busy', null]);
  });
});

test('a refusal is delayed, so that retries without back-off stay few', async () => {
  const queue = createFairQueue({ ...WIDE, maxWaitingPerUser: 0 });
  const first = await queue.acquire({ userId: 'a', deadlineMs: LONG_MS });
  let isRefused = false;
  const refused = queue.acquire({ userId: 'a', deadlineMs: LONG_MS }).catch(() => {
    isRefused = true;
  });
  await sleep(500);
  expect([isRefused, queue.waiting]).toEqual([false, 0]);
  await refused;
  first.release();
});

test('a delayed refusal ends with its caller', async () => {
  const queue = createFairQueue({ ...WIDE, maxWaitingPerUser: 0 });
  const first = await queue.acquire({ userId: 'a', deadlineMs: LONG_MS });
  const caller = new AbortController();
  const refused = queue.acquire({ userId: 'a', deadlineMs: LONG_MS, signal: caller.signal });
  caller.abort();
  const ended = refused.catch(({ reason }) => reason);
  expect(await Promise.race([ended, sleep(0, 'later')])).toBe('busy');
  first.release();
});

describe('the deadline', () => {
  test('removes a waiting task', async () => {
    const { queue, add, settled } = setUp(WIDE);
    add(0, 'a');
    add(1, 'b', { deadlineMs: 20 });
    expect((await settled[1])!.reason).toBe('timed_out');
    expect(queue.waiting).toBe(0);
  });

  test('counts what was spent waiting, and tells a running task', async () => {
    const queue = createFairQueue(WIDE);
    const work = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
      });
    const ended = await queue.run({ userId: 'a', deadlineMs: 20 }, work).catch((error) => error);
    expect(ended).toBeInstanceOf(AppError);
    expect(ended.reason).toBe('timed_out');
    expect(queue.running).toBe(0);
  });
});

test('a task that was aborted before it came never runs', async () => {
  const queue = createFairQueue(WIDE);
  let ran = false;
  const task = { userId: 'a', deadlineMs: LONG_MS, signal: AbortSignal.abort() };
  const work = async () => {
    ran = true;
  };
  const ended = await queue.run(task, work).catch((error) => error);
  expect([ended.reason, ran]).toEqual(['stopped', false]);
});

test('an error of the work is passed on, and frees its slot', async () => {
  const queue = createFairQueue(WIDE);
  const fail = queue.run({ userId: 'a', deadlineMs: LONG_MS }, () => Promise.reject(new Error('mine')));
  await expect(fail).rejects.toThrow('mine');
  expect(await queue.run({ userId: 'a', deadlineMs: LONG_MS }, async () => 1)).toBe(1);
});
