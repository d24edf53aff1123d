import { extname } from 'node:path';
import type { BacktestCase } from '#contract/backtest.ts';
import type { HistoryFound } from '#search/history.ts';
import type { QuestionAnswer } from './chat/answer-question.ts';
import type { ErrorAnswer } from './debug/answer-error.ts';
import { createFairThreads, type FairThreads } from './fair-threads.ts';
import type { ToolResult } from './tools/tool.ts';
import type {
  AnswerTask,
  ConsultTask,
  HistoryTask,
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
  consult(task: ConsultTask, options: TaskOptions): Promise<QuestionAnswer>;
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
const DEADLINE_MS = {
  search: 10_000,
  /** A search in a revision whose index has to be built first. */
  searchRevision: 30_000,
  answer: 60_000,
  background: 600_000,
};
/** The same extension as this file: TypeScript in the repository, JavaScript once compiled. */
const program = (name: string) => new URL(`./${name}${extname(import.meta.url)}`, import.meta.url);

/**
 * Starts a pool of so many threads, at least two, of which one user has half at most; the first starts with the first task.
 * One further thread, of low priority, works in the background.
 */
export function createPool(options: { threads: number }): AssistantPool {
  const threads = Math.max(2, options.threads);
  const interactive = createFairThreads(program('worker'), {
    threads,
    threadsPerUser: Math.floor(threads / 2),
  });
  const background = createFairThreads(program('background-worker'), { threads: 1, threadsPerUser: 1 });
  const run =
    (pool: FairThreads, name: string, deadlineMs: number) =>
    <T>(task: object, { userId, signal }: TaskOptions) =>
      pool.run<T>(name, task, { userId, signal, deadlineMs });
  return {
    answer: (task, { background: isBackground, ...given }) =>
      isBackground
        ? run(background, 'answer', DEADLINE_MS.background)(task, given)
        : run(interactive, 'answer', DEADLINE_MS.answer)(task, given),
    search: (task, given) =>
      run(interactive, 'find', task.at ? DEADLINE_MS.searchRevision : DEADLINE_MS.search)(task, given),
    searchHistory: run(interactive, 'findChanges', DEADLINE_MS.search),
    consult: run(interactive, 'ask', DEADLINE_MS.answer),
    useTool: run(interactive, 'useTool', DEADLINE_MS.answer),
    replay: run(background, 'replay', DEADLINE_MS.background),
    get pending() {
      return interactive.pending + background.pending;
    },
    close: async () => {
      await Promise.all([interactive.close(), background.close()]);
    },
  };
}
