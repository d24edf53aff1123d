import { extname } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { BacktestCase } from '#contract/backtest.ts';
import { AppError } from '#contract/errors.ts';
import { createFairQueue, type FairTask } from '#scheduling/fair-queue.ts';
import type { HistoryFound } from '#search/history.ts';
import type { ErrorAnswer } from './answer.ts';
import type { Consultation } from './chat/consult.ts';
import type { ToolResult } from './tools/tool.ts';
import type {
  AnswerTask,
  ConsultTask,
  HistoryTask,
  Outcome,
  ReplayTask,
  SearchResult,
  SearchTask,
  ToolTask,
} from './worker.ts';

/** For whom a task runs, and who may end it. */
export interface TaskOptions {
  /** Users take turns; one user's tasks never hold all threads. */
  userId: string;
  signal?: AbortSignal;
}

/**
 * Threads that answer and search, so that the event loop stays free. Users take turns. Every task may throw AppError
 * `unavailable`: with reason `busy` for a user who has too many waiting, `timed_out` after its deadline, `stopped` after an abort.
 */
export interface AssistantPool {
  /** Answers an error without a model. In the background it waits for a thread that questions do not use. */
  answer(task: AnswerTask, options: TaskOptions & { background?: boolean }): Promise<ErrorAnswer>;
  /** Ranked passages and commits. */
  search(task: SearchTask, options: TaskOptions): Promise<SearchResult>;
  /** Changes of the whole history. Throws `index_rebuilding` when what is on disk can't be used. */
  searchHistory(task: HistoryTask, options: TaskOptions): Promise<HistoryFound>;
  /** What the repository says to a question of a chat. */
  consult(task: ConsultTask, options: TaskOptions): Promise<Consultation>;
  /** Uses a tool. Throws AppError; `invalid_input` for arguments that it does not take. */
  useTool(task: ToolTask, options: TaskOptions): Promise<ToolResult>;
  /** Replays a past fix, in the background, over a memory that `widen` made. */
  replay(task: ReplayTask, options: TaskOptions): Promise<BacktestCase>;
  /** Tasks under way, those that wait included. */
  readonly pending: number;
  /** Ends the threads; tasks under way fail. */
  close(): Promise<void>;
}

/** Milliseconds that each kind of task may wait and run. */
export interface Deadlines {
  search: number;
  /** A search in a revision whose index has to be built first. */
  searchRevision: number;
  answer: number;
  background: number;
}

const DEADLINES: Deadlines = { search: 10_000, searchRevision: 30_000, answer: 60_000, background: 600_000 };
/** Tasks of one user, and of all, that may wait: more are refused rather than answered minutes late. */
const MAX_WAITING_PER_USER = 8;
const MAX_WAITING = 200;
/** A thread that does not react to a stop message within this time is ended. */
const STOP_GRACE_MS = 1_000;
const IDLE_TIMEOUT_MS = 60_000;

/**
 * Starts a pool of so many threads, at least two; the first starts with the first task. One further thread, of low priority,
 * works in the background.
 */
export function createPool(options: { threads: number; deadlines?: Partial<Deadlines> }): AssistantPool {
  const threads = Math.max(2, options.threads);
  const deadlines = { ...DEADLINES, ...options.deadlines };
  const interactive = createLane('worker', { threads, threadsPerUser: Math.max(1, threads - 2) });
  const background = createLane('background-worker', { threads: 1, threadsPerUser: 1 });
  const run =
    (lane: Lane, name: string, deadlineMs: number) =>
    <T>(task: object, { userId, signal }: TaskOptions) =>
      lane.run<T>(name, task, { userId, signal, deadlineMs });
  return {
    answer: (task, { background: isBackground, ...given }) =>
      isBackground
        ? run(background, 'answer', deadlines.background)(task, given)
        : run(interactive, 'answer', deadlines.answer)(task, given),
    search: (task, given) =>
      run(interactive, 'find', task.at ? deadlines.searchRevision : deadlines.search)(task, given),
    searchHistory: run(interactive, 'findChanges', deadlines.search),
    consult: run(interactive, 'ask', deadlines.answer),
    useTool: run(interactive, 'useTool', deadlines.answer),
    replay: run(background, 'replay', deadlines.background),
    get pending() {
      return interactive.pending + background.pending;
    },
    close: async () => {
      await Promise.all([interactive.close(), background.close()]);
    },
  };
}

/** Threads that run the same program, and the queue before them. */
interface Lane {
  run<T>(name: string, task: object, fairness: FairTask): Promise<T>;
  readonly pending: number;
  close(): Promise<void>;
}

function createLane(
  program: string,
  { threads, threadsPerUser }: { threads: number; threadsPerUser: number },
): Lane {
  const queue = createFairQueue({
    maxRunning: threads,
    maxRunningPerUser: threadsPerUser,
    maxWaiting: MAX_WAITING,
    maxWaitingPerUser: MAX_WAITING_PER_USER,
  });
  const pool = new Piscina({
    // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
    filename: new URL(`./${program}${extname(import.meta.url)}`, import.meta.url).href,
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
