import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '#contract/errors.ts';
import { killBackends } from './cluster-processes.ts';
import { PROGRAM_ENV } from './postgres-user.ts';

/** Starts that may fail in a row before a PostgreSQL that keeps dying is given up; a full disk does not count. */
const MAX_ATTEMPTS = 5;
const MAX_RETRY_DELAY_MS = 5_000;
const MAX_KEPT_LINES = 20;

/** The words of the C library for ENOSPC and EDQUOT, which PostgreSQL passes on in its language, C. */
const DISK_FULL = /No space left on device|Disk quota exceeded/;

interface ServerOptions {
  command: string[];
  cluster: string;
  log: Logger;
  /** Called when PostgreSQL ended or did not start because the disk is full. */
  onDiskFull?: (() => void) | undefined;
  onLost?: ((error: unknown) => void) | undefined;
  /** Called at each launch of PostgreSQL, before it accepts connections. */
  onLaunch?: (() => void) | undefined;
}

interface RunningServer {
  /** Makes the server read its configuration again. */
  reload(): void;
  stop(): Promise<void>;
}

/** Keeps the server running until `stop`; resolves when it first accepts connections. */
export async function supervise(options: ServerOptions): Promise<RunningServer> {
  const stopping = new AbortController();
  let current = await launch(options, stopping.signal);
  const watch = async (): Promise<void> => {
    while (true) {
      const code = await current.ended;
      if (stopping.signal.aborted) return;
      const words = current.lastLines();
      options.log.error({ code, words }, 'PostgreSQL ended unexpectedly; starting it again');
      if (DISK_FULL.test(words)) options.onDiskFull?.();
      current = await launch(options, stopping.signal);
      // A stop during the launch was sent to the previous, dead process.
      if (stopping.signal.aborted) current.child.kill('SIGINT');
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    options.log.error({ err: error }, 'PostgreSQL could not be started again');
    options.onLost?.(error);
  });
  return {
    reload: () => void current.child.kill('SIGHUP'),
    stop: async () => {
      stopping.abort();
      current.child.kill('SIGINT');
      await watching;
    },
  };
}

interface Launched {
  child: ChildProcess;
  ended: Promise<number | null>;
  lastLines(): string;
}

/**
 * After the postmaster alone was killed, its backends may hold the shared memory for a moment, so that the next start
 * is refused: hence several attempts. Room on a full disk is waited for, however long that takes.
 */
async function launch(options: ServerOptions, signal: AbortSignal): Promise<Launched> {
  const { command, cluster, log, onDiskFull, onLaunch } = options;
  for (let attempt = 1, failures = 0; ; attempt++) {
    await killBackends(cluster);
    const child = startProgram(command, cluster);
    onLaunch?.();
    const server: Launched = { child, ended: waitForExit(child), lastLines: keepLastLines(child, log) };
    if (await becomesReady(server, cluster)) return server;
    if (DISK_FULL.test(server.lastLines())) {
      log.error({ words: server.lastLines() }, 'PostgreSQL cannot start: the disk is full. Trying again');
      onDiskFull?.();
    } else if (++failures === MAX_ATTEMPTS) throw postgresFailed('start', server.lastLines());
    await sleep(Math.min(200 * attempt, MAX_RETRY_DELAY_MS), undefined, { signal });
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  }
}

async function becomesReady({ child, ended }: Launched, cluster: string): Promise<boolean> {
  let alive = true;
  void ended.then(() => {
    alive = false;
  });
  while (alive) {
    const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
    const lines = text.split('\n');
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
    await sleep(10);
  }
  return false;
}

/**
 * Starts a program inside a folder. Detached: a Ctrl-C in the terminal must reach PostgreSQL through us, after its
 * clients have gone.
 */
export function startProgram([program = '', ...args]: string[], folder: string): ChildProcess {
  return spawn(program, args, {
    cwd: folder,
    detached: true,
    env: PROGRAM_ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Resolves with the exit code; null after a signal, or for a program that could not be started. */
export function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((settle) => {
    child.once('exit', settle);
    child.once('error', () => settle(null));
  });
}

/** Passes what the program says to the log and keeps its last lines. */
export function keepLastLines(child: ChildProcess, log?: Logger): () => string {
  const last: string[] = [];
  child.once('error', (error) => last.push(error.message));
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      log?.debug({ postgres: line });
      last.push(line);
      if (last.length > MAX_KEPT_LINES) last.shift();
    });
  }
  return () => last.join('\n');
}

/** Error of an embedded PostgreSQL that cannot run, with the last lines of its output. */
export function postgresFailed(step: 'init' | 'start', output: string): AppError {
  const details = { params: { output }, reason: 'embedded_postgres_failed' };
  if (DISK_FULL.test(output)) return new AppError('storage_full', `postgres_${step}_disk_full`, details);
  const isDenied = output.includes('Permission denied');
  return new AppError(
    'unavailable',
    isDenied ? `postgres_${step}_denied` : `postgres_${step}_failed`,
    details,
  );
}
