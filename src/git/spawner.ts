import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { Child, Command } from './child.ts';
import { connectToSpawner, type SpawnerConnection } from './spawner-connection.ts';

/** The small process that starts git for this one. */
interface Spawner {
  /** The folder of its sockets, by which other processes of the same user reach it. */
  readonly folder: string;
  /** Ends it, with all that it started. */
  close(): Promise<void>;
}

/** Name under which threads find the folder of sockets: they inherit environment data when they start. */
const FOLDER = 'hindsight git spawner';
/** The longest path of a socket that every system takes is 103 bytes. */
const MAX_TMPDIR_LENGTH = 60;
const RESTART_MS = 200;

/**
 * Starts the spawner of this process: from then on `startBySpawner` works in this thread and in those started later.
 * When it ends by itself another takes its place. Call it early and in the main thread. Throws when it can't start.
 *
 * Starting a program copies the page tables of the process that starts it, and stops it meanwhile: 30 ms for each
 * gigabyte that it has in memory. The spawner has 50 MB.
 *
 *   thread ── control: requests, replies ──▶ spawner ── fork ──▶ git
 *     ◀──────── stdin, stdout, stderr, a connection each ─────────┘
 *
 * It connects the three streams to the thread and hands them to git, so what git reads and prints goes past it.
 */
export async function startSpawner(): Promise<Spawner> {
  const base = tmpdir().length > MAX_TMPDIR_LENGTH ? '/tmp' : tmpdir();
  const folder = mkdtempSync(join(base, 'hindsight-git-'));
  let closed = false;
  let current = await startProcess(folder);
  const restart = async () => {
    while (!closed) {
      const started = await startProcess(folder).catch(() => null);
      if (started === null) {
        await sleep(RESTART_MS, undefined, { ref: false });
        continue;
      }
      current = started;
      if (closed) current.stdin?.end();
      else current.once('exit', restart);
      return;
    }
  };
  current.once('exit', restart);
  attachSpawner(folder);
  return {
    folder,
    async close() {
      closed = true;
      attachSpawner(undefined);
      const gone = isRunning(current) ? once(current, 'exit') : null;
      current.ref();
      current.stdin?.end();
      await gone;
    },
  };
}

/** From now on this thread, and those started later, start programs by the spawner of this folder; undefined: themselves. */
export function attachSpawner(folder: string | undefined): void {
  setEnvironmentData(FOLDER, folder);
}

/** The folder of the spawner that this thread starts programs by; undefined when it starts them itself. */
export function spawnerFolder(): string | undefined {
  const folder = getEnvironmentData(FOLDER);
  return typeof folder === 'string' ? folder : undefined;
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function startProcess(folder: string): Promise<ChildProcess> {
  const socket = join(folder, 'spawner');
  rmSync(socket, { force: true });
  // The program has this file's extension: TypeScript as it is, JavaScript when compiled.
  const program = fileURLToPath(new URL(`./spawner-process${extname(import.meta.url)}`, import.meta.url));
  const child = spawn(process.execPath, [program, socket], {
    cwd: folder,
    env: {},
    // Ctrl-C in a terminal is for us: we end it, in order.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const failed = new AbortController();
  const end = (cause: unknown) =>
    failed.abort(new Error('The process that starts git has ended.', { cause }));
  child.once('error', end).once('exit', end);
  await once(child.stdout!, 'data', { signal: failed.signal }).catch(() => failed.signal.throwIfAborted());
  child.off('error', end).off('exit', end);
  child.on('error', () => {});
  // A program that only looks something up need not end it: it ends when its standard input does.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as { unref?(): void } | null)?.unref?.();
  return child;
}

let connection: SpawnerConnection | undefined;

/** Starts a program by the spawner of this process; null when there is none. */
export function startBySpawner(command: Command): Child | null {
  const folder = spawnerFolder();
  if (folder === undefined) return null;
  if (connection === undefined || connection.folder !== folder || connection.lost) {
    connection = connectToSpawner(folder);
  }
  return connection.start(command);
}
