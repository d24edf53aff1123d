import { link } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity, Coverage } from '#contract/projects.ts';
import { runTask } from './indexing-thread.ts';
import { CODE_FILE, COMMITS_FILE } from './shard/open.ts';
import { beginGeneration, prune, publish, removeUnfinished } from './shard/publish.ts';

/** What to remember and where. */
export interface RememberOptions {
  /** Absolute path of a bare repository. */
  repo: string;
  /** The commit to index. */
  revision: string;
  /** Folder of the project's generations; one run at a time may write it. */
  directory: string;
  /** The generation that serves now; it goes on doing so until the new one is complete. */
  previous: string | null;
  limits: { maxFileBytes: number; maxEntries: number };
  onProgress(activity: Activity): void;
  /** Called when a generation is on disk; a promise that is broken ends the run. */
  onGeneration(generation: { name: string; phase: 'commits' | 'passages' }): Promise<void>;
  signal: AbortSignal;
}

/** What a finished run tells. `phases` are milliseconds; commits and passages are read side by side. */
export interface Remembered {
  coverage: Coverage;
  phases: Record<string, number>;
}

/**
 * Reads a revision into a new generation, history and code in a thread each. Without a previous generation the
 * history is published on its own as soon as it is there. Rejects with the signal's reason when aborted.
 */
export async function remember(options: RememberOptions): Promise<Remembered> {
  const { directory, previous, onGeneration } = options;
  await removeUnfinished(directory);
  const abort = new AbortController();
  const signal = AbortSignal.any([options.signal, abort.signal]);
  const early = await beginGeneration(directory);
  const complete = await beginGeneration(directory);
  const { commits, code } = readSides(options, early.folder, complete.folder, signal);
  try {
    const history = await commits;
    await link(join(early.folder, COMMITS_FILE), join(complete.folder, COMMITS_FILE));
    if (previous === null) {
      await publish(directory, early);
      await onGeneration({ name: early.name, phase: 'commits' });
    }
    const files = await code;
    await publish(directory, complete);
    await onGeneration({ name: complete.name, phase: 'passages' });
    await removeUnfinished(directory);
    await prune(directory, complete.name, Date.now());
    return {
      coverage: { ...history.counts, ...files.counts } as Coverage,
      phases: { commits: history.ms, passages: files.ms },
    };
  } catch (error) {
    abort.abort();
    await Promise.allSettled([commits, code]);
    await removeUnfinished(directory);
    throw options.signal.aborted ? options.signal.reason : error;
  }
}

/** Starts both threads. While commits are being read they are the progress to show. */
function readSides(options: RememberOptions, early: string, complete: string, signal: AbortSignal) {
  const { repo, revision, limits, onProgress } = options;
  let readingCommits = true;
  const commits = runTask(
    { kind: 'commits', repo, revision, limits, path: join(early, COMMITS_FILE) },
    { onProgress, signal },
  ).finally(() => {
    readingCommits = false;
  });
  const code = runTask(
    { kind: 'code', repo, revision, limits, path: join(complete, CODE_FILE) },
    { onProgress: (activity) => readingCommits || onProgress(activity), signal },
  );
  // Each is awaited in its turn; until then a failure must not count as unhandled.
  code.catch(() => {});
  return { commits, code };
}
