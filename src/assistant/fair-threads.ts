import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { deserializeAppError } from '#contract/errors.ts';
import { createFairQueue, type FairTask } from '#scheduling/fair-queue.ts';
import type { TaskMessage, ThreadData, ThreadTaskOutcome } from './task-runner.ts';

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
/** The stop message is repeated, since a thread that is loading its program misses it. */
const STOP_INTERVAL_MS = 100;
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
  const stopChannel = `stop ${randomUUID()}`;
  const stops = new BroadcastChannel(stopChannel);
  stops.unref();
  let lastId = 0;
  const pool = new Piscina({
    filename: program.href,
    workerData: { stopChannel } satisfies ThreadData,
    name: 'runTask',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_TIMEOUT_MS,
    recordTiming: false,
  });
  return {
    run: async <T>(name: string, input: Prepared<object>, fairness: FairTask) =>
      (await queue.run(fairness, async (signal) => {
        const loaded = typeof input === 'function' ? await input() : input;
        const message = { id: ++lastId, name, input: loaded };
        return await runInThread({ pool, stops }, message, signal);
      })) as T,
    get pending() {
      return queue.running + queue.waiting;
    },
    async close() {
      await pool.destroy();
      stops.close();
    },
  };
}

/** Runs a task in a free thread. An abort sends stop messages, and terminates the thread when they have no effect. */
async function runInThread(
  { pool, stops }: { pool: Piscina; stops: BroadcastChannel },
  message: TaskMessage,
  signal: AbortSignal,
): Promise<unknown> {
  const killer = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const stop = () => {
    const send = () => stops.postMessage(message.id);
    send();
    timers.push(setInterval(send, STOP_INTERVAL_MS));
    timers.push(setTimeout(() => killer.abort(), STOP_GRACE_MS));
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const outcome: ThreadTaskOutcome = await pool.run(message, { signal: killer.signal });
    if ('value' in outcome) return outcome.value;
    throw deserializeAppError(outcome.error);
  } finally {
    timers.forEach(clearTimeout);
    signal.removeEventListener('abort', stop);
  }
}
