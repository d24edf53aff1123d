import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Activity, Coverage } from '#contract/projects.ts';
import { countEntries } from '#git/tree.ts';
import type { IndexLimits } from '../limits.ts';
import type { IndexTask } from './build-code.ts';
import {
  createGeneration,
  linkFiles,
  pruneGenerations,
  publishGeneration,
  removeUnpublished,
} from './generations.ts';
import { type IndexTaskResult, releaseIndexProcesses, runIndexTask } from './index-process.ts';
import { type PublishedGeneration, publishHistory, publishStages } from './publish-stages.ts';

/** Input of `buildIndex`. */
interface BuildIndexOptions {
  /** Absolute path of a bare repository. */
  repo: string;
  /** The commit to index. */
  revision: string;
  /** Folder of the project's generations; it must have no other writer. */
  directory: string;
  /** The current generation, which stays in use until the new one is complete and whose segments may be reused. */
  previous: string | null;
  /** Publishes what has been read before the index is complete, where there is no previous generation. */
  inStages?: boolean;
  /** Indexes all code without reuse, so that nothing of excluded files stays on disk. */
  rebuildCode?: boolean;
  limits: IndexLimits;
  onProgress(activity: Activity): void;
  /** Called when a generation is on disk; a rejection ends the run. */
  onGeneration(generation: PublishedGeneration): Promise<void>;
  signal: AbortSignal;
}

/** Result of `buildIndex`. `phases` are milliseconds; commits and passages are indexed concurrently. */
interface IndexResult {
  coverage: Coverage;
  phases: Record<string, number>;
}

/**
 * Indexes a revision as a new generation, with one process for history and one for code; contents of the previous
 * generation are reused. In stages, these are published one after the other:
 *
 *     files chunked by lines and the newest commits → the whole history → symbols and passages by syntax
 *
 * Rejects with the signal's reason when aborted.
 */
export async function buildIndex(options: BuildIndexOptions): Promise<IndexResult> {
  const { directory, onGeneration } = options;
  await removeUnpublished(directory);
  const isStaged = options.inStages === true && options.previous === null && (await hasManyFiles(options));
  const abort = new AbortController();
  const run = { ...options, signal: AbortSignal.any([options.signal, abort.signal]) };
  const [early, complete] = [await createGeneration(directory), await createGeneration(directory)];
  const tasks = await startTasks(run, { early: early.folder, complete: complete.folder, isStaged });
  try {
    const [history, files] = await Promise.all(tasks);
    await linkFiles(early.folder, complete.folder);
    await publishGeneration(directory, complete);
    await onGeneration({ name: complete.name, phase: 'passages', pending: [] });
    await removeUnpublished(directory);
    await pruneGenerations(directory, complete.name, Date.now());
    return {
      coverage: { ...history.counts, ...files.counts } as Coverage,
      phases: { commits: history.ms, passages: files.ms },
    };
  } catch (error) {
    abort.abort();
    await Promise.allSettled(tasks);
    await removeUnpublished(directory);
    throw options.signal.aborted ? options.signal.reason : error;
  }
}

/** With fewer files all of the code is read in less than a second. */
const MIN_STAGED_FILES = 100;

/** True for a tree whose files chunked by lines would be there long before the complete index. */
async function hasManyFiles({ repo, revision, signal }: BuildIndexOptions): Promise<boolean> {
  try {
    await countEntries(repo, revision, { max: MIN_STAGED_FILES - 1, signal });
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') return true;
    throw error;
  }
}

type IndexTasks = [commits: Promise<IndexTaskResult>, code: Promise<IndexTaskResult>, Promise<unknown>];

/** Starts the processes, and publishes the stages of a first build. Progress is that of the commits while they are indexed. */
async function startTasks(
  options: BuildIndexOptions,
  { early, complete, isStaged }: { early: string; complete: string; isStaged: boolean },
): Promise<IndexTasks> {
  const { repo, revision, limits, onProgress, signal, directory, rebuildCode } = options;
  const previous = options.previous && join(directory, options.previous);
  let isIndexingCommits = true;
  const start = (task: Pick<IndexTask, 'kind' | 'previous' | 'folder'>, report: (done: Activity) => void) =>
    runIndexTask({ repo, revision, limits, ...task }, { onProgress: report, signal });
  const reportCode = (activity: Activity) => isIndexingCommits || onProgress(activity);
  const commits = start({ kind: 'commits', previous, folder: early }, onProgress).finally(() => {
    isIndexingCommits = false;
  });
  const startCode = () =>
    start({ kind: 'code', previous: rebuildCode ? null : previous, folder: complete }, reportCode);
  if (previous !== null || !options.inStages) return [commits, startCode(), Promise.resolve()];
  const stages = { directory, commits, onGeneration: options.onGeneration };
  if (!isStaged) return [commits, startCode(), publishHistory(stages, early)];
  const [lines, recent] = [await createGeneration(directory), await createGeneration(directory)];
  const linesTask = start({ kind: 'lines', previous: null, folder: lines.folder }, (activity) =>
    reportCode({ ...activity, done: 0 }),
  );
  const published = publishStages({
    ...{ ...stages, lines: linesTask },
    folders: { history: early, lines: lines.folder, recent: recent.folder },
    indexRecentCommits: () =>
      start({ kind: 'recent-commits', previous: null, folder: recent.folder }, () => {}),
    // What it keeps of a long history would add to what parsing the code takes.
  }).finally(() => releaseIndexProcesses('commits'));
  const code = linesTask.then(async () => {
    // Git and the indexing of commits keep two cores busy.
    if (availableParallelism() <= 2) await commits;
    return await startCode();
  });
  return [commits, code, published];
}
