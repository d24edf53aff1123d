import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildRepository, type TestFiles } from '#git/testing.ts';
import { freePort } from '#git/testing-remotes.ts';
import { type Account, signUp } from '../../bench/editor-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUNDLE = join(ROOT, 'dist/bundle/main.js');
const PRELOAD = join(import.meta.dirname, 'failpoints.ts');
const READY_TIMEOUT_MS = 120_000;
const END_TIMEOUT_MS = 120_000;

/** A server in a process of its own, with an account and the tools to break it. */
export interface FaultProgram {
  url: string;
  dataDir: string;
  /** Folder of the repositories that it may read. */
  repositories: string;
  readonly child: ChildProcess;
  /** Starts it; returns the milliseconds until it was ready. `faults` are the variables of `failpoints.ts`. */
  start(faults?: Record<string, string>): Promise<number>;
  /** Resolves when it has ended at its failpoint. Throws after a time. */
  ended(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
  signUp(): Promise<Account>;
  /** Stops it and deletes its folder. */
  remove(): Promise<void>;
}

/** Prepares a server with a folder of its own; `settings` are its environment. `bundled` runs what `npm start` runs, once built. */
export async function prepareProgram(
  settings: Record<string, string> = {},
  { bundled = false } = {},
): Promise<FaultProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-fault-'));
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = bundled && existsSync(BUNDLE) ? BUNDLE : 'src/main.ts';
  let child: ChildProcess | null = null;
  let exit: Promise<unknown> = Promise.resolve();
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  const start = async (faults: Record<string, string> = {}) => {
    const started = performance.now();
    // As scripts/keep-running.mjs starts it.
    const flags = bundled ? ['--max-semi-space-size=8'] : [];
    child = spawn(process.execPath, [...flags, '--import', PRELOAD, server], {
      cwd: ROOT,
      env: {
        PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        ...{ PORT: String(port), DATA_DIR: dataDir, GIT_LOCAL_ROOTS: folder, DISK_RESERVE_MB: '1' },
        ...(bundled && { MALLOC_ARENA_MAX: '2' }),
        // Other tests run beside.
        ...{ LOG_LEVEL: 'fatal', MAX_EVENT_LOOP_DELAY_MS: '0', ...settings, ...faults },
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    exit = once(child, 'exit');
    while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
      if (!isRunning()) throw new Error('The server ended before it was ready.');
      if (performance.now() - started > READY_TIMEOUT_MS) throw new Error('The server did not become ready.');
      await sleep(20);
    }
    return performance.now() - started;
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (isRunning()) child!.kill(signal);
    await exit;
    return child?.exitCode ?? null;
  };
  return {
    ...{ url, dataDir, repositories: folder, start },
    get child() {
      return child!;
    },
    ended: async () => {
      const late = sleep(END_TIMEOUT_MS, 'late', { ref: false });
      if ((await Promise.race([exit, late])) === 'late') throw new Error('The failpoint was not reached.');
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    signUp: () => signUp(url),
    remove: async () => {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** Builds a repository of small files, and of so many random megabytes, inside the folder that the server may read. */
export async function buildFaultRepository(
  program: FaultProgram,
  files: number,
  randomMb = 0,
): Promise<string> {
  const contents: TestFiles = {};
  for (let index = 0; index < randomMb; index++) contents[`data/${index}.bin`] = randomBytes(2 ** 20);
  for (let index = 0; index < files; index++)
    contents[`src/${index % 50}/file${index}.ts`] = `export const value${index} = ${index};\n`.repeat(20);
  const built = await buildRepository(async (repo) => void (await repo.commit({ files: contents })));
  const path = join(program.repositories, 'upstream.git');
  await rename(built.path, path);
  await built.remove();
  return path;
}

/** Unfinished imports in the folders of projects. */
export async function countUnfinished({ dataDir }: FaultProgram): Promise<number> {
  let count = 0;
  const projects = join(dataDir, 'projects');
  if (!existsSync(projects)) return 0;
  for (const id of await readdir(projects).catch(() => []))
    for (const name of await readdir(join(projects, id)).catch(() => []))
      if (name.includes('.import-')) count += 1;
  return count;
}

/** Waits until `check` returns something; throws after a time. */
export async function until<T>(
  check: () => Promise<T | null | false>,
  timeoutMs: number,
  what: string,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (performance.now() > end) throw new Error(`${what} within ${timeoutMs / 1000} s.`);
    await sleep(50);
  }
}
