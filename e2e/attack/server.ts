import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#git/testing-remotes.ts';
import { spawnProgram } from '../spawn-program.ts';
import { sendHttp } from './client.ts';
import { readTree } from './process-tree.ts';

/** Memory limit above which the server is killed, which counts as a crash: other programs share the machine. */
const KILL_BYTES = 8 * 2 ** 30;
const SAMPLE_MS = 250;
const MAX_LOG_LENGTH = 4 * 2 ** 20;

/** The program under attack, started from any checkout as its own process. */
export interface Server {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Unexpected exits, each with its last log line. */
  readonly deaths: string[];
  /** Bytes of the whole process tree: now, and the most since `resetPeak`. */
  memory(): { now: number; peak: number };
  resetPeak(): void;
  pid(): number;
  log(): string;
  /** Kills the server when it does not respond within the timeout: a hang counts as a crash. */
  killUnlessAnswering(timeoutMs: number): Promise<void>;
  /** Starts it again if it has died; returns whether it had. */
  revive(): Promise<boolean>;
  /** Shuts it down and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `src/main.ts` of a checkout with a data folder of its own. */
export async function startServer(
  checkout: string,
  settings: Record<string, string>,
  { dataDir: existingDataDir }: { dataDir?: string } = {},
): Promise<Server> {
  const dataDir = existingDataDir ?? (await mkdtemp(join(tmpdir(), 'hindsight-attack-')));
  const port = await freePort();
  const deaths: string[] = [];
  let log = '';
  let stopping = false;
  let peak = 0;
  let lastPids: number[] = [];
  let child: ChildProcess;

  const start = async () => {
    log = '';
    const onOutput = (text: string) => {
      log = (log + text).slice(-MAX_LOG_LENGTH);
    };
    const started = spawnProgram(
      { PORT: String(port), DATA_DIR: dataDir, ...settings },
      { checkout, onOutput },
    );
    child = started;
    started.once('exit', (code, signal) => {
      if (!stopping && started === child) deaths.push(`${signal ?? `code ${code}`}: ${lastWords(log)}`);
    });
    await untilReady(started, port, () => log);
  };

  const sample = () => {
    const { pids, bytes } = readTree(child.pid ?? 0);
    peak = Math.max(peak, bytes);
    lastPids = pids;
    if (bytes > KILL_BYTES) endLeftovers(pids, dataDir);
    return bytes;
  };
  await start();
  const timer = setInterval(sample, SAMPLE_MS);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const end = async () => {
    stopping = true;
    const { pids } = readTree(child.pid ?? 0);
    if (!hasEnded()) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(20_000)]);
    }
    endLeftovers([...pids, ...lastPids], dataDir);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    deaths,
    memory: () => {
      const now = sample();
      return { now, peak };
    },
    resetPeak: () => {
      peak = 0;
    },
    pid: () => child.pid ?? 0,
    log: () => log,
    async killUnlessAnswering(timeoutMs) {
      if (hasEnded() || (await sendHttp(port, { path: '/healthz', timeoutMs })).status !== null) return;
      if (hasEnded()) return;
      const exited = once(child, 'exit');
      log += `\nanswered nothing for ${timeoutMs} ms`;
      child.kill('SIGKILL');
      await exited;
    },
    async revive() {
      if (!hasEnded()) return false;
      endLeftovers(lastPids, dataDir);
      for (let attempt = 0; ; attempt++) {
        try {
          await start();
          return true;
        } catch (error) {
          if (attempt === 5) throw error;
          await sleep(1000);
        }
      }
    },
    async restart() {
      await end();
      stopping = false;
      await start();
    },
    async stop() {
      clearInterval(timer);
      await end();
      if (existingDataDir === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Kills those processes that still belong to this data folder: a process ID may have been reused. */
function endLeftovers(pids: number[], dataDir: string): void {
  for (const pid of pids) {
    try {
      const texts = ['environ', 'cmdline'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1'));
      if (texts.some((text) => text.includes(dataDir))) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

async function untilReady(child: ChildProcess, port: number, log: () => string): Promise<void> {
  const end = Date.now() + 60_000;
  while (Date.now() < end && child.exitCode === null && child.signalCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error(`The server did not start:\n${log().slice(-3000)}`);
}

function lastWords(log: string): string {
  const fatal = /FATAL ERROR[^\n]*/.exec(log)?.[0];
  return (fatal ?? log.trim().split('\n').at(-1) ?? '').slice(0, 200);
}
