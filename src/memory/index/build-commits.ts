import { link, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Coverage } from '#contract/projects.ts';
import { log } from '#git/log.ts';
import { git } from '#git/run.ts';
import { readSections, type ShardFile, writeShardFile } from '../bytes/container.ts';
import { type BuildBudget, budgetForIndexBytes, getBuildBudget } from '../limits.ts';
import type { IndexTask, IndexTaskListener } from './build-code.ts';
import { COMMIT_SEGMENT, HISTORY_FILE } from './generation-reader.ts';
import { newSegmentName } from './generations.ts';
import { buildCommitOrder } from './segments/commit-order.ts';
import { GRAPH_SECTIONS, openGraph } from './segments/commit-segment.ts';
import { CommitSegmentBuilder } from './segments/commit-segment-builder.ts';
import { countReusableSegments } from './segments/merge-policy.ts';

interface Segment {
  readonly name: string;
  readonly file: ShardFile;
}

type CommitCoverage = Pick<Coverage, 'commits' | 'commits_omitted' | 'changes_omitted'>;

/**
 * Writes the commits that the revision reaches, and returns what the coverage tells of them. Those in the previous
 * generation's segments are not read again. Beyond the budget the oldest commits are left out and counted.
 */
export async function buildCommits(task: IndexTask, listener: IndexTaskListener): Promise<CommitCoverage> {
  const { folder, previous, revision, others = [] } = task;
  listener.onProgress({ phase: 'commits', done: 0, total: null, unit: 'commits' });
  const budget = await getBuildBudget(task.repo, task.limits);
  const { kept, fresh, builder } = await readCommits(task, budget, listener);
  const segments = [...kept];
  for (const { name } of kept) await link(join(previous!, name), join(folder, name));
  if (builder.count > 0 || kept.length === 0) {
    const name = newSegmentName(COMMIT_SEGMENT);
    writeShardFile(join(folder, name), COMMIT_SEGMENT, builder.finish([revision, ...others]));
    segments.push({ name, file: await readSections(join(folder, name), COMMIT_SEGMENT, GRAPH_SECTIONS) });
  }
  const { draft, count } = buildCommitOrder([revision, ...others], segments);
  writeShardFile(join(folder, HISTORY_FILE), HISTORY_FILE, draft);
  const changes = segments.reduce((sum, { file }) => sum + file.number('omittedChanges'), 0);
  const commits = fresh - builder.count;
  return {
    commits: count,
    ...(commits > 0 && { commits_omitted: commits }),
    ...(changes > 0 && { changes_omitted: changes }),
  };
}

/** Reads what the kept segments lack; all commits anew where that does not fit beside them, so that the newest are in. */
async function readCommits(task: IndexTask, budget: BuildBudget, listener: IndexTaskListener) {
  const { kept, fresh } = await findMissing(task, listener.signal);
  const keptBytes = await bytesOf(kept, task.previous);
  const builder = await collectCommits(
    task,
    { kept, fresh, budget: budgetForIndexBytes(budget.indexBytes - keptBytes) },
    listener,
  );
  if (builder.count >= fresh || kept.length === 0) return { kept, fresh, builder };
  const total = await countMissing(task, [], listener.signal);
  return {
    kept: [],
    fresh: total,
    builder: await collectCommits(task, { kept: [], fresh: total, budget }, listener),
  };
}

async function bytesOf(segments: readonly Segment[], folder: string | null): Promise<number> {
  let bytes = 0;
  for (const { name } of segments) bytes += (await stat(join(folder!, name))).size;
  return bytes;
}

async function countMissing(task: IndexTask, kept: readonly Segment[], signal: AbortSignal): Promise<number> {
  const revisions = [task.revision, ...(task.others ?? []), ...tipsOf(kept).map((tip) => `^${tip}`)];
  const { stdout } = await git(task.repo, ['rev-list', '--count'], { name: 'rev-list', revisions, signal });
  return Number(stdout);
}

/** The segments to go on from, and how many commits they lack. */
async function findMissing(
  task: IndexTask,
  signal: AbortSignal,
): Promise<{ kept: Segment[]; fresh: number }> {
  const known = await readCommitSegments(task.previous);
  const count = (kept: readonly Segment[]) => countMissing(task, kept, signal);
  try {
    const missing = await count(known);
    const sizes = known.map(({ file }) => {
      const { count: size } = openGraph(file);
      return { size, shown: size };
    });
    const kept = known.slice(0, countReusableSegments(sizes, missing));
    return { kept, fresh: kept.length === known.length ? missing : await count(kept) };
  } catch (error) {
    if (known.length === 0 || signal.aborted) throw error;
    // A commit that is remembered is gone from the repository, as after a force push and a clean-up.
    return { kept: [], fresh: await count([]) };
  }
}

/** The segments of the previous generation; none when one can't be read, or the history was cut off somewhere. */
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

/** Whether the oldest segment, which ends where history begins, names parents that it lacks. */
function isShallow([oldest]: Segment[]): boolean {
  return oldest !== undefined && openGraph(oldest.file).outside.length > 0;
}

const tipsOf = (segments: readonly Segment[]) => segments.flatMap(({ file }) => file.list('tips'));

async function collectCommits(
  { repo, revision, limits, others = [] }: IndexTask,
  { kept, fresh, budget }: { kept: readonly Segment[]; fresh: number; budget: BuildBudget },
  { onProgress, signal }: IndexTaskListener,
): Promise<CommitSegmentBuilder> {
  const builder = new CommitSegmentBuilder();
  const options = {
    from: [revision, ...others],
    not: tipsOf(kept),
    maxBytes: budget.inputBytes,
    renameMs: limits.renameMs,
    signal,
  };
  try {
    for await (const commit of log(repo, options)) {
      // The newest commit is always in: a revision without any can't be shown.
      if (builder.count > 0 && builder.allocatedBytes > budget.indexBytes) break;
      builder.add(commit);
      onProgress({ phase: 'commits', done: builder.count, total: fresh, unit: 'commits' });
    }
  } catch (error) {
    // Comparing a commit's trees may take more memory or time than git has: what is newer is read.
    const isTooLarge =
      error instanceof AppError && (error.code === 'too_large' || error.reason === 'stalled');
    if (!isTooLarge || builder.count === 0) throw error;
  }
  return builder;
}
