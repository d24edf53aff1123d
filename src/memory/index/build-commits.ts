import { existsSync } from 'node:fs';
import { link, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Coverage } from '#contract/projects.ts';
import { log } from '#git/log.ts';
import { git } from '#git/run.ts';
import { readSections } from '../bytes/section-file.ts';
import { type Sections, writeSections } from '../bytes/sections.ts';
import { type BuildBudget, budgetForIndexBytes, getBuildBudget } from '../limits.ts';
import type { IndexTask, IndexTaskListener } from './build-code.ts';
import { extendCommits } from './extend-commits.ts';
import {
  COMMIT_SEGMENT,
  HISTORY_FILE,
  RECENT_COMMIT_SEGMENT,
  RECENT_HISTORY_FILE,
} from './generation-reader.ts';
import { newSegmentName } from './generations.ts';
import { buildCommitOrder } from './segments/commit-order.ts';
import { GRAPH_SECTIONS, openGraph } from './segments/commit-segment.ts';
import { CommitSegmentBuilder } from './segments/commit-segment-builder.ts';
import { countReusableSegments } from './segments/merge-policy.ts';

interface Segment {
  readonly name: string;
  readonly file: Sections;
}

type CommitCoverage = Pick<Coverage, 'commits' | 'commits_omitted' | 'changes_omitted' | 'shallow'>;

/**
 * Indexes the commits that the revision reaches and returns their coverage. Those in segments of the previous generation
 * are reused. Beyond the budget the oldest commits are omitted and counted.
 */
export async function buildCommits(task: IndexTask, listener: IndexTaskListener): Promise<CommitCoverage> {
  const { folder, previous, revision, others = [] } = task;
  listener.onProgress({ phase: 'commits', done: 0, total: null, unit: 'commits' });
  const budget = await getBuildBudget(task.repo, task.limits);
  const extended = await extendPrevious(task, budget, listener);
  if (extended !== null) return extended;
  const { reused, missing, builder } = await readCommits(task, budget, listener);
  const segments = [...reused];
  for (const { name } of reused) await link(join(previous!, name), join(folder, name));
  if (builder.count > 0 || reused.length === 0) {
    const name = newSegmentName(COMMIT_SEGMENT);
    writeSections(join(folder, name), COMMIT_SEGMENT, await builder.finish([revision, ...others]));
    segments.push({ name, file: await readSections(join(folder, name), COMMIT_SEGMENT, GRAPH_SECTIONS) });
  }
  const { draft, count } = buildCommitOrder([revision, ...others], segments);
  writeSections(join(folder, HISTORY_FILE), HISTORY_FILE, draft);
  const changes = segments.reduce((sum, { file }) => sum + file.number('omittedChanges'), 0);
  const commits = missing - builder.count;
  return {
    commits: count,
    ...(commits > 0 && { commits_omitted: commits }),
    ...(changes > 0 && { changes_omitted: changes }),
    ...(existsSync(join(task.repo, 'shallow')) && { shallow: true }),
  };
}

/** Commits that are published before the whole history is read. */
const MAX_RECENT_COMMITS = 1000;

/** Indexes the newest commits alone, for searches until the whole history is there. */
export async function buildRecentCommits(
  task: IndexTask,
  listener: IndexTaskListener,
): Promise<CommitCoverage> {
  const { folder, revision } = task;
  const budget = await getBuildBudget(task.repo, task.limits);
  const range = { not: [], missing: null, budget, max: MAX_RECENT_COMMITS };
  const { builder } = await collectCommits(task, range, listener);
  const name = newSegmentName(RECENT_COMMIT_SEGMENT);
  writeSections(join(folder, name), RECENT_COMMIT_SEGMENT, await builder.finish([revision]));
  const file = await readSections(join(folder, name), RECENT_COMMIT_SEGMENT, GRAPH_SECTIONS);
  const { draft, count } = buildCommitOrder([revision], [{ name, file }]);
  writeSections(join(folder, RECENT_HISTORY_FILE), RECENT_HISTORY_FILE, draft);
  return { commits: count };
}

/** Adds to the previous history what the revision has beyond it; null where more than that has to be done. */
async function extendPrevious(
  { previous, ...task }: IndexTask,
  budget: BuildBudget,
  listener: IndexTaskListener,
): Promise<CommitCoverage | null> {
  if (previous === null || task.others !== undefined || existsSync(join(task.repo, 'shallow'))) return null;
  try {
    const history = await extendCommits({ ...task, previous }, async ({ not, max }) => {
      const range = { not, missing: null, budget, max };
      const { builder, isComplete } = await collectCommits({ ...task, previous }, range, listener);
      return isComplete ? builder : null;
    });
    if (history === null) return null;
    const { commits, omittedChanges: changes } = history;
    return { commits, ...(changes > 0 && { changes_omitted: changes }) };
  } catch (error) {
    listener.signal.throwIfAborted();
    // A damaged generation, or an indexed commit that is gone from the repository: they are looked at once more.
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Reads the commits that reused segments lack; all commits when the missing ones exceed the budget, to have the newest. */
async function readCommits(task: IndexTask, budget: BuildBudget, listener: IndexTaskListener) {
  const { reused, missing } = await findMissing(task, listener.signal);
  const reusedBytes = await bytesOf(reused, task.previous);
  const { builder } = await collectCommits(
    task,
    { not: tipsOf(reused), missing, budget: budgetForIndexBytes(budget.indexBytes - reusedBytes) },
    listener,
  );
  if (builder.count >= missing || reused.length === 0) return { reused, missing, builder };
  const total = await countMissing(task, [], listener.signal);
  const all = await collectCommits(task, { not: [], missing: total, budget }, listener);
  return { reused: [], missing: total, builder: all.builder };
}

async function bytesOf(segments: readonly Segment[], folder: string | null): Promise<number> {
  let bytes = 0;
  for (const { name } of segments) bytes += (await stat(join(folder!, name))).size;
  return bytes;
}

async function countMissing(
  task: IndexTask,
  reused: readonly Segment[],
  signal: AbortSignal,
): Promise<number> {
  const revisions = [task.revision, ...(task.others ?? []), ...tipsOf(reused).map((tip) => `^${tip}`)];
  const { stdout } = await git(task.repo, ['rev-list', '--count'], { name: 'rev-list', revisions, signal });
  return Number(stdout);
}

/** Selects the segments to reuse, and counts the commits that they lack. */
async function findMissing(
  task: IndexTask,
  signal: AbortSignal,
): Promise<{ reused: Segment[]; missing: number }> {
  const previous = await readCommitSegments(task.previous);
  const count = (reused: readonly Segment[]) => countMissing(task, reused, signal);
  try {
    const missing = await count(previous);
    const sizes = previous.map(({ file }) => {
      const { count: size } = openGraph(file);
      return { size, live: size };
    });
    const reused = previous.slice(0, countReusableSegments(sizes, missing));
    return { reused, missing: reused.length === previous.length ? missing : await count(reused) };
  } catch (error) {
    if (previous.length === 0 || signal.aborted) throw error;
    // An indexed commit is gone from the repository, as after a force push and garbage collection.
    return { reused: [], missing: await count([]) };
  }
}

/** Reads the segments of the previous generation; none when one can't be read, or the history was shallow. */
async function readCommitSegments(previous: string | null): Promise<Segment[]> {
  if (previous === null) return [];
  try {
    const history = await readSections(join(previous, HISTORY_FILE), HISTORY_FILE, []);
    const segments: Segment[] = [];
    for (const name of history.list('segments')) {
      segments.push({ name, file: await readSections(join(previous, name), COMMIT_SEGMENT, GRAPH_SECTIONS) });
    }
    return isShallow(segments) ? [] : segments;
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return [];
    throw error;
  }
}

/** True when the oldest segment, which ends at the root commits, names parents that it lacks. */
function isShallow([oldest]: Segment[]): boolean {
  return oldest !== undefined && openGraph(oldest.file).outside.length > 0;
}

const tipsOf = (segments: readonly Segment[]) => segments.flatMap(({ file }) => file.list('tips'));

interface CommitRange {
  /** Tips of the segments that are reused. */
  not: string[];
  /** Commits that they lack; null where it is not known. */
  missing: number | null;
  budget: BuildBudget;
  /** Commits to read at most; no limit when absent. */
  max?: number;
}

/** Collects the newest commits of a range. `isComplete` is false when some were omitted. */
async function collectCommits(
  { repo, revision, limits, others = [] }: IndexTask,
  { not, missing, budget, max = Number.POSITIVE_INFINITY }: CommitRange,
  { onProgress, signal }: IndexTaskListener,
): Promise<{ builder: CommitSegmentBuilder; isComplete: boolean }> {
  const builder = new CommitSegmentBuilder();
  const options = {
    from: [revision, ...others],
    not,
    maxBytes: budget.inputBytes,
    renameMs: limits.renameMs,
    signal,
  };
  try {
    for await (const commit of log(repo, options)) {
      // The newest commit is always indexed: a revision without any can't be opened.
      const isFull = builder.count >= max || builder.allocatedBytes > budget.indexBytes;
      if (builder.count > 0 && isFull) return { builder, isComplete: false };
      builder.add(commit);
      onProgress({ phase: 'commits', done: builder.count, total: missing, unit: 'commits' });
    }
  } catch (error) {
    // Comparing a commit's trees may exceed git's limits of memory or time: the newer commits are indexed.
    const isTooLarge =
      error instanceof AppError && (error.code === 'too_large' || error.reason === 'stalled');
    if (!isTooLarge || builder.count === 0) throw error;
    return { builder, isComplete: false };
  }
  return { builder, isComplete: true };
}
