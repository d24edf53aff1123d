import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Coverage } from '#contract/projects.ts';
import { log } from '#git/log.ts';
import { git } from '#git/run.ts';
import type { Listener, Task } from './build.ts';
import { CommitsBuilder } from './shard/build-commits.ts';
import { buildHistory } from './shard/build-history.ts';
import { GRAPH_SECTIONS, openGraph } from './shard/commit-segment.ts';
import { readSections, type ShardFile, writeShardFile } from './shard/format.ts';
import { keepOldest } from './shard/keep.ts';
import { COMMITS, HISTORY_FILE } from './shard/open.ts';
import { newSegment } from './shard/publish.ts';

interface Segment {
  readonly name: string;
  readonly file: ShardFile;
}

/**
 * Writes the commits that the revision reaches, and returns what the coverage tells of them. Those in the previous
 * generation's segments are not read again.
 */
export async function buildCommits(task: Task, listener: Listener): Promise<Pick<Coverage, 'commits'>> {
  const { folder, previous, revision, others = [] } = task;
  listener.onProgress({ phase: 'commits', done: 0, total: null, unit: 'commits' });
  const { kept, fresh } = await findFresh(task, listener.signal);
  const segments = [...kept];
  for (const { name } of kept) await link(join(previous!, name), join(folder, name));
  if (fresh > 0 || kept.length === 0) {
    const name = newSegment(COMMITS);
    await writeCommits(join(folder, name), task, { kept, fresh }, listener);
    segments.push({ name, file: await readSections(join(folder, name), COMMITS, GRAPH_SECTIONS) });
  }
  const { draft, count } = buildHistory([revision, ...others], segments);
  writeShardFile(join(folder, HISTORY_FILE), HISTORY_FILE, draft);
  return { commits: count };
}

/** The segments to go on from, and how many commits they lack. */
async function findFresh(task: Task, signal: AbortSignal): Promise<{ kept: Segment[]; fresh: number }> {
  const known = await readKnown(task.previous);
  const count = async (kept: readonly Segment[]) => {
    const revisions = [task.revision, ...(task.others ?? []), ...tipsOf(kept).map((tip) => `^${tip}`)];
    const { stdout } = await git(task.repo, ['rev-list', '--count'], { name: 'rev-list', revisions, signal });
    return Number(stdout);
  };
  try {
    const missing = await count(known);
    const sizes = known.map(({ file }) => {
      const { count: size } = openGraph(file);
      return { size, shown: size };
    });
    const kept = known.slice(0, keepOldest(sizes, missing));
    return { kept, fresh: kept.length === known.length ? missing : await count(kept) };
  } catch (error) {
    if (known.length === 0 || signal.aborted) throw error;
    // A commit that is remembered is gone from the repository, as after a force push and a clean-up.
    return { kept: [], fresh: await count([]) };
  }
}

/** The segments of the previous generation; none when one can't be read, or the history was cut off somewhere. */
async function readKnown(previous: string | null): Promise<Segment[]> {
  if (previous === null) return [];
  try {
    const history = await readSections(join(previous, HISTORY_FILE), HISTORY_FILE, []);
    const segments: Segment[] = [];
    for (const name of history.list('segments')) {
      segments.push({ name, file: await readSections(join(previous, name), COMMITS, GRAPH_SECTIONS) });
    }
    return isCutOff(segments) ? [] : segments;
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return [];
    throw error;
  }
}

/** Whether the oldest segment, which ends where history begins, names parents that it lacks. */
function isCutOff([oldest]: Segment[]): boolean {
  return oldest !== undefined && openGraph(oldest.file).outside.length > 0;
}

const tipsOf = (segments: readonly Segment[]) => segments.flatMap(({ file }) => file.list('tips'));

async function writeCommits(
  path: string,
  { repo, revision, others = [] }: Task,
  { kept, fresh }: { kept: readonly Segment[]; fresh: number },
  { onProgress, signal }: Listener,
): Promise<void> {
  const builder = new CommitsBuilder();
  const tips = [revision, ...others];
  for await (const commit of log(repo, { from: tips, not: tipsOf(kept), signal })) {
    builder.add(commit);
    onProgress({ phase: 'commits', done: builder.count, total: fresh, unit: 'commits' });
  }
  writeShardFile(path, COMMITS, builder.finish(tips));
}
