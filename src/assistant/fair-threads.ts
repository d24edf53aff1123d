import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { AppError } from '#contract/errors.ts';
import { createFairQueue, type FairTask } from '#scheduling/fair-queue.ts';
import type { Outcome } from './worker.ts';

/** Threads that run the same program, and the queue before them. */
export interface FairThreads {
  /**
   * Calls a function of the program with `task` and a port `stop`. Throws AppError: what the function returns as an error, or as
   * `FairQueue.acquire` does.
   */
  run<T>(name: string, task: object, fairness: FairTask): Promise<T>;
  /** Tasks that run or wait. */
  readonly pending: number;
  /** Ends the threads; tasks under way fail. */
  close(): Promise<void>;
}

/** Tasks of one user, and of all, that may wait: more are refused rather than answered minutes late. */
const MAX_WAITING_PER_USER = 8;
const MAX_WAITING = 200;
/** A thread that does not react to a stop message within this time is ended. */
const STOP_GRACE_MS = 1_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Starts so many threads of a program, each with its first task; users take turns for them. */
export function createFairThreads(
  program: URL,
  { threads, threadsPerUser }: { threads: number; threadsPerUser: number },
): FairThreads {
  const queue = createFairQueue({
    maxRunning: threads,
    maxRunningPerUser: threadsPerUser,
    maxWaiting: MAX_WAITING,
    maxWaitingPerUser: MAX_WAITING_PER_USER,
  });
  const pool = new Piscina({
    filename: program.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_TIMEOUT_MS,
  });
  return {
    run: (name, task, fairness) => queue.run(fairness, (signal) => runInThread(pool, { name, task, signal })),
    get pending() {
      return queue.running + queue.waiting;
    },
    close: () => pool.destroy(),
  };
}

/** Runs a task in a free thread. The signal stops it by a message, or with its thread when that is not heard. */
async function runInThread<T>(
  pool: Piscina,
  { name, task, signal }: { name: string; task: object; signal: AbortSignal },
): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  const killer = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    port1.postMessage('stop');
    timer = setTimeout(() => killer.abort(), STOP_GRACE_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const sent = { ...task, stop: port2 };
    const outcome: Outcome<T> = await pool.run(sent, { name, transferList: [port2], signal: killer.signal });
    if ('value' in outcome) return outcome.value;
    const { code, message, reason } = outcome.error;
    throw new AppError(code, message, { reason });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    port1.close();
  }
}
