import type { PendingPart } from '#contract/projects.ts';
import { createGeneration, linkFiles, publishGeneration } from './generations.ts';

/** A generation on disk. The phase is the last one that it contains: `lines` are files chunked by lines, `passages` is complete. */
export interface PublishedGeneration {
  name: string;
  phase: 'commits' | 'lines' | 'passages';
  pending: readonly PendingPart[];
}

/** Tasks of a first build under way, and the folders that they write to. */
interface Stages {
  /** Folder of the project's generations. */
  directory: string;
  folders: { history: string; lines: string; recent: string };
  /** The whole history. */
  commits: Promise<unknown>;
  /** All files chunked by lines. */
  lines: Promise<unknown>;
  /** Indexes the newest commits, for files that are there before the history. */
  indexRecentCommits(): Promise<unknown>;
  onGeneration(generation: PublishedGeneration): Promise<void>;
}

/** Publishes the history of a first build when it is there, before the code. */
export async function publishHistory(
  stages: Pick<Stages, 'directory' | 'commits' | 'onGeneration'>,
  history: string,
): Promise<void> {
  await stages.commits;
  await publish(stages, [history], { phase: 'commits', pending: [] });
}

/** Publishes what a first build has read before it is complete, as generations of their own. */
export async function publishStages(stages: Stages): Promise<void> {
  const { folders, lines } = stages;
  let hasHistory = false;
  const commits = stages.commits.then(() => {
    hasHistory = true;
  });
  await Promise.race([commits, lines]);
  if (hasHistory) await publish(stages, [folders.history], { phase: 'commits', pending: [] });
  await lines;
  if (!hasHistory) await stages.indexRecentCommits();
  if (!hasHistory) {
    const first = [folders.recent, folders.lines];
    await publish(stages, first, { phase: 'lines', pending: ['commits', 'symbols'] });
  }
  await commits;
  await publish(stages, [folders.history, folders.lines], { phase: 'lines', pending: ['symbols'] });
}

async function publish(
  { directory, onGeneration }: Pick<Stages, 'directory' | 'onGeneration'>,
  folders: readonly string[],
  contents: Omit<PublishedGeneration, 'name'>,
): Promise<void> {
  const generation = await createGeneration(directory);
  for (const folder of folders) await linkFiles(folder, generation.folder);
  await publishGeneration(directory, generation);
  await onGeneration({ name: generation.name, ...contents });
}
