import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { deserializeAppError } from '#contract/errors.ts';
import { createFairQueue, type FairTask } from '#scheduling/fair-queue.ts';
import type { TaskMessage, ThreadTaskOutcome } from './task-runner.ts';

/** The input of a task, or a function that loads it when the task's turn comes, so that loading counts as part of the task. */
export type Prepared<Input extends object> = Input | (() => Promise<Input>);

/** Threads that run the same program, with a fair queue in front of them. */
interface FairThreads {
  /** Runs a task of the program. Throws AppError: that of the task, or as `FairQueue.acquire` does. */
  run<T>(name: string, input: Prepared<object>, fairness: FairTask): Promise<T>;
  /** Tasks that run or wait. */
  readonly pending: number;
  /** Ends the threads; running tasks fail. */
  close(): Promise<void>;
}

/** Waiting tasks of one user, and of all: more are refused rather than answered minutes late. */
const MAX_WAITING_PER_USER = 8;
const MAX_WAITING = 200;
/** A thread that does not react to a stop message within this time is terminated. */
const STOP_GRACE_MS = 1_000;
/** A new thread loads its programs and opens its indexes first, which takes longer than most tasks. */
const IDLE_TIMEOUT_MS = 600_000;

/** Creates a pool of threads for a program that exports `runTask`; threads start on demand, users take turns. */
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
    name: 'runTask',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_TIMEOUT_MS,
  });
  return {
    run: async <T>(name: string, input: Prepared<object>, fairness: FairTask) =>
      (await queue.run(fairness, async (signal) => {
        const loaded = typeof input === 'function' ? await input() : input;
        return await runInThread(pool, { name, input: loaded, signal });
      })) as T,
    get pending() {
      return queue.running + queue.waiting;
    },
    close: () => pool.destroy(),
  };
}

/** Runs a task in a free thread. An abort sends a stop message, and terminates the thread when that has no effect. */
async function runInThread(
  pool: Piscina,
  { name, input, signal }: { name: string; input: object; signal: AbortSignal },
): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const killer = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    port1.postMessage('stop');
    timer = setTimeout(() => killer.abort(), STOP_GRACE_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const message: TaskMessage = { name, input, stop: port2 };
    const outcome: ThreadTaskOutcome = await pool.run(message, {
      transferList: [port2],
      signal: killer.signal,
    });
    if ('value' in outcome) return outcome.value;
    throw deserializeAppError(outcome.error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    port1.close();
  }
}
