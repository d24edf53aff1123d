import { link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity, Coverage } from '#contract/projects.ts';
import type { IndexLimits } from '../limits.ts';
import { createGeneration, pruneGenerations, publishGeneration, removeUnpublished } from './generations.ts';
import { runIndexTask } from './index-process.ts';

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
  /** Indexes all code without reuse, so that nothing of excluded files stays on disk. */
  rebuildCode?: boolean;
  limits: IndexLimits;
  onProgress(activity: Activity): void;
  /** Called when a generation is on disk; a rejection ends the run. */
  onGeneration(generation: { name: string; phase: 'commits' | 'passages' }): Promise<void>;
  signal: AbortSignal;
}

/** Result of `buildIndex`. `phases` are milliseconds; commits and passages are indexed concurrently. */
interface IndexResult {
  coverage: Coverage;
  phases: Record<string, number>;
}

/**
 * Indexes a revision as a new generation, with one process for history and one for code; contents of the previous
 * generation are reused. Without a previous one the history is published as soon as it is complete. Rejects with the
 * signal's reason when aborted.
 */
export async function buildIndex(options: BuildIndexOptions): Promise<IndexResult> {
  const { directory, previous, onGeneration } = options;
  await removeUnpublished(directory);
  const abort = new AbortController();
  const signal = AbortSignal.any([options.signal, abort.signal]);
  const early = await createGeneration(directory);
  const complete = await createGeneration(directory);
  const { commits, code } = startTasks(options, early.folder, complete.folder, signal);
  try {
    const history = await commits;
    for (const name of await readdir(early.folder))
      await link(join(early.folder, name), join(complete.folder, name));
    if (previous === null) {
      await publishGeneration(directory, early);
      await onGeneration({ name: early.name, phase: 'commits' });
    }
    const files = await code;
    await publishGeneration(directory, complete);
    await onGeneration({ name: complete.name, phase: 'passages' });
    await removeUnpublished(directory);
    await pruneGenerations(directory, complete.name, Date.now());
    return {
      coverage: { ...history.counts, ...files.counts } as Coverage,
      phases: { commits: history.ms, passages: files.ms },
    };
  } catch (error) {
    abort.abort();
    await Promise.allSettled([commits, code]);
    await removeUnpublished(directory);
    throw options.signal.aborted ? options.signal.reason : error;
  }
}

/** Starts both processes. Progress is that of the commits while they are indexed. */
function startTasks(options: BuildIndexOptions, early: string, complete: string, signal: AbortSignal) {
  const { repo, revision, limits, onProgress, directory, rebuildCode } = options;
  const previous = options.previous && join(directory, options.previous);
  let isIndexingCommits = true;
  const commits = runIndexTask(
    { kind: 'commits', repo, revision, limits, previous, folder: early },
    { onProgress, signal },
  ).finally(() => {
    isIndexingCommits = false;
  });
  const code = runIndexTask(
    { kind: 'code', repo, revision, limits, previous: rebuildCode ? null : previous, folder: complete },
    { onProgress: (activity) => isIndexingCommits || onProgress(activity), signal },
  );
  // Both are awaited one after the other; until then a failure must not count as unhandled.
  code.catch(() => {});
  return { commits, code };
}
