import { extname } from 'node:path';
import { createFairThreads, type Prepared } from './fair-threads.ts';
import type { ProjectSearchInput } from './project-search.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts';

interface TaskOptions {
  /** Users take turns; one user's tasks never hold all threads. */
  userId: string;
  signal?: AbortSignal;
  /** Runs on the background thread, which interactive tasks do not use. */
  background?: boolean;
}

/**
 * Threads that answer and search, so that the event loop stays free: one method for each task of `tasks.ts`. Any task may
 * throw AppError `unavailable`: `busy` for a user with too many waiting, `timed_out` after its deadline, `stopped` after an abort.
 */
type AssistantPool = {
  readonly [N in TaskName]: (input: Prepared<TaskInput<N>>, options: TaskOptions) => Promise<TaskOutput<N>>;
} & {
  /** Tasks that run or wait. */
  readonly pending: number;
  /** Ends the threads; running tasks fail. */
  close(): Promise<void>;
};

/** Milliseconds that a task may wait and run. */
const DEADLINE_MS: Record<TaskName, number> = {
  searchCode: 10_000,
  searchProjects: 10_000,
  listSearchValues: 10_000,
  searchHistory: 10_000,
  answerError: 60_000,
  estimateSuspects: 120_000,
  scoreProject: 10_000,
  answerQuestion: 60_000,
  runTool: 60_000,
  measureEvolution: 30_000,
  measureCoupling: 30_000,
  findFileRisks: 10_000,
  reviewChange: 30_000,
  findImpact: 30_000,
  readCodeAge: 10_000,
  surveyCodeAge: 600_000,
  replayFix: 600_000,
  showReplay: 120_000,
};
/** Tasks that always run on the background thread. */
const BACKGROUND_TASKS: ReadonlySet<TaskName> = new Set(['surveyCodeAge', 'replayFix', 'estimateSuspects']);
/** A search at a revision whose index has to be built first. */
const REVISION_SEARCH_DEADLINE_MS = 30_000;
const BACKGROUND_DEADLINE_MS = 600_000;

/** The same extension as this file: TypeScript in the repository, JavaScript once compiled. */
const program = (name: string) => new URL(`./${name}${extname(import.meta.url)}`, import.meta.url);

/**
 * Starts a pool of so many threads, at least two; one user occupies at most half of them. Threads start on demand. One
 * further thread, of low priority, runs background tasks.
 */
export function createPool(options: { threads: number }): AssistantPool {
  const threads = Math.max(2, options.threads);
  const interactive = createFairThreads(program('worker'), {
    threads,
    threadsPerUser: Math.floor(threads / 2),
  });
  const background = createFairThreads(program('background-worker'), { threads: 1, threadsPerUser: 1 });

  function run(name: TaskName, input: Prepared<object>, options: TaskOptions): Promise<unknown> {
    const { background: isBackground = BACKGROUND_TASKS.has(name), ...fairness } = options;
    const pool = isBackground ? background : interactive;
    return pool.run(name, input, { ...fairness, deadlineMs: deadlineOf(name, input, isBackground) });
  }
  const methods = Object.fromEntries(
    (Object.keys(DEADLINE_MS) as TaskName[]).map((name) => [
      name,
      (input: Prepared<object>, options: TaskOptions) => run(name, input, options),
    ]),
  ) as Pick<AssistantPool, TaskName>;

  return {
    ...methods,
    get pending() {
      return interactive.pending + background.pending;
    },
    close: async () => {
      await Promise.all([interactive.close(), background.close()]);
    },
  };
}

function deadlineOf(name: TaskName, input: Prepared<object>, isBackground: boolean): number {
  if (isBackground) return BACKGROUND_DEADLINE_MS;
  const hasRevision =
    ('at' in input && input.at) ||
    ('projects' in input && (input as ProjectSearchInput).projects.some(({ at }) => at));
  const isSearch = name === 'searchCode' || name === 'searchProjects';
  return isSearch && hasRevision ? REVISION_SEARCH_DEADLINE_MS : DEADLINE_MS[name];
}
