import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSpawner } from '#git/spawner.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { IndexTask } from './build-code.ts';
import { prepareIndexProcesses, releaseIndexProcesses, runIndexTask } from './index-process.ts';

type Spawner = Awaited<ReturnType<typeof startSpawner>>;

let repo: TestRepository;
let spawner: Spawner;
const folder = mkdtempSync(join(tmpdir(), 'hindsight-index-'));
beforeAll(async () => {
  // One of our own: others run tests beside us.
  spawner = await startSpawner();
  repo = await buildRepository(async (building) => {
    for (let i = 0; i < 300; i++)
      await building.commit({ files: { [`${i}.js`]: `export const a${i} = 1;\n` } });
  });
});
afterAll(async () => {
  await spawner.close();
  await repo.remove();
  rmSync(folder, { recursive: true, force: true });
});

let runs = 0;
async function task(kind: IndexTask['kind']): Promise<IndexTask> {
  const limits = { maxFileBytes: 10_000, maxEntries: 1000 };
  const target = mkdtempSync(join(folder, `${++runs}-`));
  return { kind, repo: repo.path, revision: await repo.head(), folder: target, previous: null, limits };
}

const listener = (signal = new AbortController().signal) => ({ onProgress: () => {}, signal });

test('one idle process per kind is kept, limited in memory and not in address space', async () => {
  releaseIndexProcesses();
  await expect.poll(() => processes().length).toBe(0);
  const { counts } = await runIndexTask(await task('commits'), listener());
  expect(counts).toEqual({ commits: 300 });
  const [first] = processes();
  await runIndexTask(await task('commits'), listener());
  expect(processes()).toEqual([first]);
  const limits = readFileSync(`/proc/${first}/limits`, 'utf8');
  expect(limits).toMatch(/Max data size +\d+/);
  expect(limits).toMatch(/Max core file size +0 /);
  expect(readFileSync(`/proc/${first}/environ`, 'utf8')).toBe('');
  releaseIndexProcesses();
  await expect.poll(() => processes()).toEqual([]);
});

test('a killed process rejects its task, and the next task succeeds', async () => {
  const running = runIndexTask(await task('code'), listener());
  const failed = expect(running).rejects.toMatchObject({ code: 'unavailable', reason: 'process_failed' });
  await expect.poll(() => processes().length, { interval: 5 }).toBe(1);
  process.kill(processes()[0]!, 'SIGKILL');
  await failed;
  expect((await runIndexTask(await task('code'), listener())).counts).toMatchObject({ indexed: 300 });
});

test('an aborted task rejects with the reason of its signal, and its process ends', async () => {
  releaseIndexProcesses();
  await expect.poll(() => processes().length).toBe(0);
  const abort = new AbortController();
  const reason = new Error('The project is gone.');
  const failed = expect(runIndexTask(await task('code'), listener(abort.signal))).rejects.toBe(reason);
  await expect.poll(() => processes().length, { interval: 5 }).toBe(1);
  abort.abort(reason);
  await failed;
  await expect.poll(() => processes()).toEqual([]);
});

test('a prepared process does the first task, or ends where that needs more memory', async () => {
  await prepareIndexProcesses();
  const prepared = processes();
  expect(prepared).toHaveLength(2);
  await runIndexTask(await task('commits'), listener());
  expect(processes()).toEqual(prepared);
  // A large pack allows for a large index.
  const pack = join(repo.path, 'objects', 'pack', 'none.pack');
  writeFileSync(pack, '');
  truncateSync(pack, 2 ** 29);
  try {
    await runIndexTask(await task('commits'), listener());
    await runIndexTask(await task('code'), listener());
  } finally {
    rmSync(pack);
  }
  await expect.poll(() => processes().filter((pid) => prepared.includes(pid))).toEqual([]);
  releaseIndexProcesses('commits');
  await expect.poll(() => processes()).toHaveLength(1);
  releaseIndexProcesses();
  await expect.poll(() => processes()).toEqual([]);
});

/** Processes of this test that run the program of the index. */
function processes(): number[] {
  const spawners = childrenOf([process.pid], 'spawner-process');
  return childrenOf(spawners, 'index-program');
}

function childrenOf(parents: number[], program: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return parents.includes(Number(parent)) && command.includes(program) ? [Number(name)] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
