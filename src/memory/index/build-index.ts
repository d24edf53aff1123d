import { link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity, Coverage } from '#contract/projects.ts';
import type { IndexLimits } from '../limits.ts';
import { createGeneration, pruneGenerations, publishGeneration, removeUnpublished } from './generations.ts';
import { runIndexTask } from './index-process.ts';

/** What to remember and where. */
export interface BuildIndexOptions {
  /** Absolute path of a bare repository. */
  repo: string;
  /** The commit to index. */
  revision: string;
  /** Folder of the project's generations; one run at a time may write it. */
  directory: string;
  /** The generation that serves now; it goes on doing so until the new one is complete, which uses what it can of it. */
  previous: string | null;
  limits: IndexLimits;
  onProgress(activity: Activity): void;
  /** Called when a generation is on disk; a promise that is broken ends the run. */
  onGeneration(generation: { name: string; phase: 'commits' | 'passages' }): Promise<void>;
  signal: AbortSignal;
}

/** What a finished run tells. `phases` are milliseconds; commits and passages are read side by side. */
export interface IndexResult {
  coverage: Coverage;
  phases: Record<string, number>;
}

/**
 * Reads a revision into a new generation, history and code in a process each; of both only what the previous
 * generation does not hold. Without a previous one the history is published on its own as soon as it is there.
 * Rejects with the signal's reason when aborted.
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

/** Starts both processes. While commits are being read they are the progress to show. */
function startTasks(options: BuildIndexOptions, early: string, complete: string, signal: AbortSignal) {
  const { repo, revision, limits, onProgress, directory } = options;
  const previous = options.previous && join(directory, options.previous);
  let readingCommits = true;
  const commits = runIndexTask(
    { kind: 'commits', repo, revision, limits, previous, folder: early },
    { onProgress, signal },
  ).finally(() => {
    readingCommits = false;
  });
  const code = runIndexTask(
    { kind: 'code', repo, revision, limits, previous, folder: complete },
    { onProgress: (activity) => readingCommits || onProgress(activity), signal },
  );
  // Each is awaited in its turn; until then a failure must not count as unhandled.
  code.catch(() => {});
  return { commits, code };
}
