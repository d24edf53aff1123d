import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createProcessPool, type ProcessPool } from './process-pool.ts';
import type { TestTask } from './testing-program.ts';

type ProcessPoolOptions = Parameters<typeof createProcessPool>[0];

const PROGRAM = new URL('./testing-program.ts', import.meta.url);
const LIMITS = { heapMb: 64, memoryMb: 192, cpuS: 60, fileBytes: 0 };

const pools: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

type Pool = ProcessPool<TestTask, unknown, { phase: string }>;

function createPool(options: Partial<ProcessPoolOptions> = {}): Pool {
  const base = { program: PROGRAM, limits: LIMITS, maxProcesses: 1 };
  const pool = createProcessPool<TestTask, unknown, { phase: string }>({ ...base, ...options });
  pools.push(pool);
  return pool;
}

const pool = createPool();
const pidOf = async (some: Pool) => Number(await some.run({ act: 'pid' }));
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('limits', () => {
  test.each([
    ['JavaScript objects', { act: 'heap' }, {}],
    ['JavaScript objects past V8’s own limit', { act: 'heap' }, { limits: { ...LIMITS, heapMb: 4000 } }],
    ['buffers', { act: 'buffers' }, {}],
    ['WebAssembly memory', { act: 'wasm' }, {}],
  ] as const)(
    '%s beyond the limit on memory end the process, and the server keeps its own',
    async (_, task, options) => {
      const limited = createPool(options);
      const before = process.memoryUsage.rss();
      await expect(limited.run(task)).rejects.toMatchObject({
        code: 'too_large',
        reason: 'out_of_memory',
        message: 'This needs more memory than is allowed.',
      });
      expect(await limited.run({ act: 'echo', value: 'next' })).toBe('next');
      expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 2 ** 20);
    },
  );

  test('a program that goes on after a failed allocation never holds more than the limit', async () => {
    const limited = createPool({ timeoutMs: 3000 });
    const pid = await pidOf(limited);
    const failed = expect(limited.run({ act: 'stubbornBuffers' })).rejects.toMatchObject({
      reason: expect.stringMatching(/timed_out|out_of_memory/),
    });
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, residentMb(pid));
    }, 20);
    await failed;
    clearInterval(timer);
    expect(peak).toBeGreaterThan(100);
    expect(peak).toBeLessThan(LIMITS.memoryMb + 128);
  });

  test('processor time beyond the limit ends the process', async () => {
    const limited = createPool({ limits: { ...LIMITS, cpuS: 1 } });
    await expect(limited.run({ act: 'spin' })).rejects.toMatchObject({
      code: 'too_large',
      reason: 'cpu_limit',
    });
  });

  test('wall time beyond the limit ends the process', async () => {
    const hasty = createPool({ timeoutMs: 500 });
    await expect(hasty.run({ act: 'spin' })).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'timed_out',
    });
    await expect(hasty.run({ act: 'sleep', value: 60_000 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  test('replies, complaints and tasks beyond the limits are not taken', async () => {
    const small = createPool({ maxOutputBytes: 2 ** 20, maxTaskBytes: 2 ** 20 });
    expect(await small.run({ act: 'flood', value: 2 ** 20 - 200 })).toHaveLength(2 ** 20 - 200);
    const tooMuch = { code: 'too_large', reason: 'output_too_large' };
    await expect(small.run({ act: 'flood', value: 2 ** 21 })).rejects.toMatchObject(tooMuch);
    await expect(small.run({ act: 'complain' })).rejects.toMatchObject(tooMuch);
    const large = { act: 'echo', value: 'x'.repeat(2 ** 20) } as const;
    await expect(small.run(large)).rejects.toMatchObject({ code: 'too_large', reason: 'task_too_large' });
  });

  test('a program that may write writes no larger files than it may', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hindsight-sandbox-'));
    const writing = createPool({ limits: { ...LIMITS, fileBytes: 1000 } });
    await expect(writing.run({ act: 'write', value: join(folder, 'file') })).rejects.toThrow(/file|EFBIG/);
    expect(readFileSync(join(folder, 'file')).length).toBeLessThanOrEqual(1000);
    rmSync(folder, { recursive: true });
  });
});

describe('what a process has', () => {
  test('no environment, an empty folder, nothing open that is ours but three streams', async () => {
    const reading = createPool({ limits: { ...LIMITS, fileBytes: 1 } });
    expect(await reading.run({ act: 'environment' })).toEqual({
      environment: '',
      folder: [],
      streams: expect.anything(),
    });
    const { streams } = (await reading.run({ act: 'environment' })) as { streams: string[] };
    expect(streams.filter((name) => name.includes('socket'))).toEqual(['0 socket', '1 socket', '2 socket']);
    // Pipes are Node's own, from its event loop to itself.
    expect(streams.filter((name) => !/socket|pipe/.test(name))).toEqual([]);
  });

  test.each([
    ['the environment of the server', { act: 'read', value: `/proc/${process.pid}/environ` }],
    ['a file of the system', { act: 'read', value: '/etc/passwd' }],
    [
      'the files beside the sources',
      { act: 'read', value: fileURLToPath(new URL('../../README.md', PROGRAM)) },
    ],
    ['writing', { act: 'write', value: '/tmp/hindsight-never' }],
    ['starting a program', { act: 'start' }],
  ] as const)('a program that only parses is refused %s', async (_, task) => {
    await expect(pool.run(task)).rejects.toThrow(/Access to this API has been restricted/);
  });
});

describe('processes', () => {
  test('a warm process does the next task, and one that failed does not', async () => {
    const first = await pidOf(pool);
    expect(await pidOf(pool)).toBe(first);
    await expect(pool.run({ act: 'fail' })).rejects.toThrow('It broke.');
    expect(await pidOf(pool)).not.toBe(first);
  });

  test('errors keep their code and reason, and a full disk is one', async () => {
    await expect(pool.run({ act: 'refuse' })).rejects.toMatchObject({
      code: 'not_found',
      reason: 'not_found',
      message: 'There is no such file.',
    });
    await expect(pool.run({ act: 'full' })).rejects.toMatchObject({ code: 'storage_full' });
  });

  test.each([
    ['writes what is no message', { act: 'garbage' }],
    ['exits with 0', { act: 'exit', value: 0 }],
    ['exits with 3', { act: 'exit', value: 3 }],
  ] as const)('one that %s has failed, and the next task is done', async (_, task) => {
    await expect(pool.run(task)).rejects.toMatchObject({ code: 'unavailable', reason: 'process_failed' });
    expect(await pool.run({ act: 'echo', value: 1 })).toBe(1);
  });

  test('after thirty deaths in a row the next task is done', async () => {
    const before = process.memoryUsage.rss();
    const deaths = Array.from({ length: 30 }, () => ({ act: 'exit', value: 1 }) as const);
    for (const task of deaths)
      await expect(pool.run(task)).rejects.toMatchObject({ reason: 'process_failed' });
    expect(await pool.run({ act: 'echo', value: 'alive' })).toBe('alive');
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 2 ** 20);
  });

  test('one that holds much, has done enough or is idle for long is ended', async () => {
    const strict = createPool({ maxIdleMb: 100, maxTasksPerProcess: 3, idleMs: 300 });
    const first = await pidOf(strict);
    await strict.run({ act: 'hold', value: 100 });
    const second = await pidOf(strict);
    expect(second).not.toBe(first);
    await pidOf(strict);
    await pidOf(strict);
    const third = await pidOf(strict);
    expect(third).not.toBe(second);
    await expect.poll(() => isAlive(third)).toBe(false);
    const idle = await pidOf(strict);
    strict.releaseIdle();
    await expect.poll(() => isAlive(idle)).toBe(false);
  });

  test('progress is reported at most four times a second per phase', async () => {
    const seen: unknown[] = [];
    await pool.run({ act: 'echo' }, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([{ phase: 'echo' }]);
  });
});

describe('stopping', () => {
  test('a task whose caller goes is killed, and one that waits is dropped', async () => {
    const [here, there] = [new AbortController(), new AbortController()];
    const stopped = { code: 'unavailable', reason: 'stopped' };
    const first = await pidOf(pool);
    const running = pool.run({ act: 'spin' }, { signal: here.signal });
    const waiting = pool.run({ act: 'spin' }, { signal: there.signal });
    there.abort();
    await expect(waiting).rejects.toMatchObject(stopped);
    here.abort();
    await expect(running).rejects.toMatchObject(stopped);
    expect(isAlive(first)).toBe(false);
    await expect(pool.run({ act: 'pid' }, { signal: here.signal })).rejects.toMatchObject(stopped);
  });

  test('where there is a grace the task hears of it, and who does not listen is killed', async () => {
    const patient = createPool({ abortGraceMs: 1500, maxProcesses: 2 });
    const abort = new AbortController();
    const obedient = patient.run({ act: 'untilStopped' }, { signal: abort.signal });
    const deaf = patient.run({ act: 'spin' }, { signal: abort.signal, userId: 'other' });
    setTimeout(() => abort.abort(), 500);
    const rejections = await Promise.allSettled([obedient, deaf]);
    for (const rejection of rejections) expect(rejection).toMatchObject({ reason: { reason: 'stopped' } });
  });

  test('closing ends what runs and refuses what comes', async () => {
    const closing = createPool();
    const pid = await pidOf(closing);
    const running = expect(closing.run({ act: 'spin' })).rejects.toMatchObject({ reason: 'stopped' });
    const waiting = expect(closing.run({ act: 'pid' })).rejects.toMatchObject({ reason: 'stopped' });
    await closing.close();
    await Promise.all([running, waiting]);
    expect(isAlive(pid)).toBe(false);
    await expect(closing.run({ act: 'pid' })).rejects.toMatchObject({ reason: 'stopped' });
  });
});

describe('fairness', () => {
  test('users take turns whatever one of them asks for, and one can’t fill the queue', async () => {
    const shared = createPool({ maxWaiting: 12 });
    const done: string[] = [];
    const ask = (userId: string) =>
      shared.run({ act: 'sleep', value: 20 }, { userId }).then(() => void done.push(userId));
    const greedy = Array.from({ length: 6 }, () => ask('greedy'));
    const others = [ask('a'), ask('b')];
    const results = await Promise.allSettled([...greedy, ...others]);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', reason: 'busy', retryAfter: 5 } });
    expect(done).toEqual(['greedy', 'greedy', 'a', 'b', 'greedy', 'greedy']);
  });

  test('one user never has all processes', async () => {
    const shared = createPool({ maxProcesses: 2 });
    const abort = new AbortController();
    const spinning = [1, 2].map(() =>
      shared.run({ act: 'spin' }, { userId: 'greedy', signal: abort.signal }),
    );
    expect(await shared.run({ act: 'echo', value: 'mine' }, { userId: 'other' })).toBe('mine');
    abort.abort();
    await Promise.allSettled(spinning);
  });

  test('a task that waits too long fails with a timeout', async () => {
    const slow = createPool({ timeoutMs: 700 });
    const running = slow.run({ act: 'spin' }).catch(() => {});
    await expect(
      Promise.all(Array.from({ length: 3 }, () => slow.run({ act: 'spin' }))),
    ).rejects.toMatchObject({ reason: expect.stringMatching(/busy|timed_out/) });
    await running;
  });
});

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
