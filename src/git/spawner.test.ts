import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { git, startGit } from './run.ts';
import { startSpawner } from './spawner.ts';
import { buildRepository, type TestRepository } from './testing.ts';

type Spawner = Awaited<ReturnType<typeof startSpawner>>;

/** Waiting for what is sure to come. */
const SOON = { timeout: 60_000 };

let spawner: Spawner;
let repo: TestRepository;
beforeEach(async () => {
  spawner = await startSpawner();
  repo = await buildRepository(async (building) => {
    await building.commit({ files: { 'a.txt': 'one\n' } });
  });
});
afterEach(async () => {
  await spawner.close();
  await repo.remove();
});

test('git is not a child of ours but of the spawner, which has nothing of our environment', async () => {
  const run = startGit(repo.path, ['cat-file', '--batch-command'], { name: 'test' });
  await expect.poll(() => processesWith('cat-file', repo.path), SOON).toHaveLength(1);
  const [cat] = processesWith('cat-file', repo.path);
  const [own] = processesWith('spawner-process').filter(({ parent }) => parent === process.pid);
  expect(cat!.parent).toBe(own!.pid);
  expect(readFileSync(`/proc/${own!.pid}/environ`, 'utf8')).toBe('');
  run.kill('done');
  await run.end;
});

test('a spawner that is killed takes git with it, and another takes its place', async () => {
  const run = startGit(repo.path, ['cat-file', '--batch-command'], { name: 'test' });
  await expect.poll(() => processesWith('cat-file', repo.path), SOON).toHaveLength(1);
  const [own] = processesWith('spawner-process').filter(({ parent }) => parent === process.pid);
  process.kill(own!.pid, 'SIGKILL');
  expect(await run.end).toMatchObject({ code: 'unavailable' });
  await expect.poll(() => processesWith('cat-file', repo.path), SOON).toEqual([]);
  const version = () => git(null, ['--version'], { name: 'test' }).then(({ exitCode }) => exitCode, String);
  await expect.poll(version, SOON).toBe(0);
});

test('a thread that is gone takes its git with it, the others keep theirs', async () => {
  const mine = startGit(repo.path, ['cat-file', '--batch-command'], { name: 'test' });
  const source = `
    const { startGit } = await import(${JSON.stringify(new URL('./run.ts', import.meta.url).href)});
    startGit(${JSON.stringify(repo.path)}, ['cat-file', '--batch'], { name: 'test' });`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { execArgv: [] });
  await expect.poll(() => processesWith('cat-file --batch ', repo.path), SOON).toHaveLength(1);
  await thread.terminate();
  await expect.poll(() => processesWith('cat-file --batch ', repo.path), SOON).toEqual([]);
  expect(processesWith('cat-file --batch-command', repo.path)).toHaveLength(1);
  mine.kill('done');
  await mine.end;
});

test('a process that is killed leaves no socket behind', async () => {
  const sockets = () => readdirSync(spawner.folder).length;
  await git(null, ['--version'], { name: 'test' });
  const before = sockets();
  const source = `
    const { attachSpawner } = await import(${JSON.stringify(new URL('./spawner.ts', import.meta.url).href)});
    const { startGit } = await import(${JSON.stringify(new URL('./run.ts', import.meta.url).href)});
    attachSpawner(${JSON.stringify(spawner.folder)});
    startGit(${JSON.stringify(repo.path)}, ['cat-file', '--batch'], { name: 'test' });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'ignore' });
  await expect.poll(() => processesWith('cat-file --batch ', repo.path), SOON).toHaveLength(1);
  expect(sockets()).toBe(before + 1);
  child.kill('SIGKILL');
  await expect.poll(sockets, SOON).toBe(before);
});

test('a process that is killed leaves neither spawner nor git behind', async () => {
  const source = `
    const { startSpawner } = await import(${JSON.stringify(new URL('./spawner.ts', import.meta.url).href)});
    const { startGit } = await import(${JSON.stringify(new URL('./run.ts', import.meta.url).href)});
    await startSpawner();
    startGit(${JSON.stringify(repo.path)}, ['cat-file', '--batch'], { name: 'test' });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'ignore' });
  const spawners = () => processesWith('spawner-process').filter(({ parent }) => parent === child.pid);
  await expect.poll(() => processesWith('cat-file --batch ', repo.path), SOON).toHaveLength(1);
  const [theirs] = spawners();
  child.kill('SIGKILL');
  await once(child, 'exit');
  await expect.poll(() => processesWith('cat-file --batch ', repo.path), SOON).toEqual([]);
  await expect
    .poll(() => processesWith('spawner-process').map(({ pid }) => pid), SOON)
    .not.toContain(theirs!.pid);
});

/** Running processes whose command line holds a text and, where given, that read a repository. */
function processesWith(text: string, repository?: string): { pid: number; parent: number }[] {
  const found: { pid: number; parent: number }[] = [];
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const command = `${readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')} `;
      if (!command.includes(text)) continue;
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      if (repository !== undefined && !environment.includes(`GIT_DIR=${repository}\0`)) continue;
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      found.push({ pid: Number(name), parent: Number(parent) });
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}
