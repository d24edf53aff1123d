import { extname } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { BacktestCase } from '#contract/backtest.ts';
import { AppError } from '#contract/errors.ts';
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

/** Threads that answer and search, so that the event loop stays free. */
export interface AssistantPool {
  /** Answers an error without a model. Throws AppError; `unavailable` with reason `stopped` after an abort. */
  answer(task: AnswerTask, options?: { signal?: AbortSignal }): Promise<ErrorAnswer>;
  /** Ranked passages and commits. */
  search(task: SearchTask, options?: { signal?: AbortSignal }): Promise<SearchResult>;
  /** Changes of the whole history. Throws `index_rebuilding` when what is on disk can't be used. */
  searchHistory(task: HistoryTask, options?: { signal?: AbortSignal }): Promise<HistoryFound>;
  /** What the repository says to a question of a chat. */
  consult(task: ConsultTask, options?: { signal?: AbortSignal }): Promise<Consultation>;
  /** Uses a tool. Throws AppError; `invalid_input` for arguments that it does not take. */
  useTool(task: ToolTask, options?: { signal?: AbortSignal }): Promise<ToolResult>;
  /** Replays a past fix over a memory that `widen` made. */
  replay(task: ReplayTask, options?: { signal?: AbortSignal }): Promise<BacktestCase>;
  /** Ends the threads; tasks under way fail. */
  close(): Promise<void>;
}

/** Tasks that may wait for a thread; more are refused rather than answered minutes late. */
const MOST_WAITING = 100;
const RETRY_AFTER_S = 5;

/** Starts a pool of at most so many threads; the first starts with the first task. */
export function createPool({ threads }: { threads: number }): AssistantPool {
  const pool = new Piscina({
    // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
    filename: new URL(`./worker${extname(import.meta.url)}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    maxQueue: MOST_WAITING,
    idleTimeout: 60_000,
  });

  async function run<T>(name: string, task: object, signal: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) throw stopped();
    if (pool.queueSize >= MOST_WAITING) throw busy();
    const { port1, port2 } = new MessageChannel();
    const stop = () => port1.postMessage('stop');
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const outcome: Outcome<T> = await pool.run({ ...task, stop: port2 }, { name, transferList: [port2] });
      if ('value' in outcome) return outcome.value;
      const { code, message, reason } = outcome.error;
      throw signal?.aborted ? stopped() : new AppError(code, message, { reason });
    } catch (error) {
      if (signal?.aborted) throw stopped();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      port1.close();
    }
  }

  return {
    answer: (task, { signal } = {}) => run('answer', task, signal),
    search: (task, { signal } = {}) => run('find', task, signal),
    searchHistory: (task, { signal } = {}) => run('findChanges', task, signal),
    consult: (task, { signal } = {}) => run('ask', task, signal),
    useTool: (task, { signal } = {}) => run('useTool', task, signal),
    replay: (task, { signal } = {}) => run('replay', task, signal),
    close: () => pool.destroy(),
  };
}

function stopped(): AppError {
  return new AppError('unavailable', 'The request was stopped.', { reason: 'stopped' });
}

function busy(): AppError {
  return new AppError('unavailable', 'Too many questions are waiting. Try again in a moment.', {
    reason: 'busy',
    retryAfter: RETRY_AFTER_S,
  });
}
