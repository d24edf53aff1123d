import { type BlameLine, blame } from '#git/blame.ts';
import { blameFromIndex, newestCommitFromIndex } from '#investigate/history/blame-from-index.ts';
import { followRenames } from '#investigate/history/renames.ts';
import { openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { ToolContext } from './tool.ts';

/** Lines that are blamed at most: more take long and add little. */
const MAX_LINES = 400;

/** Commits that touched the file under any of its names, newest first. */
export function commitsTouching(path: string, { index: { commits } }: Pick<ToolContext, 'index'>): number[] {
  const names = followRenames([path], commits).allPaths(path);
  const found = names.flatMap((name) => {
    const number = commits.pathNumber(name);
    return number < 0 ? [] : [...commits.touching(number)];
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Blame of these lines at the indexed revision; empty for null. */
export async function blameRange(
  path: string,
  lines: readonly [number, number] | null,
  { repo, index, signal }: ToolContext,
): Promise<BlameLine[]> {
  if (!lines) return [];
  const [from, to] = lines;
  const last = Math.min(to, from + MAX_LINES);
  return await blame(repo, { commit: index.revision, path, from, to: last, signal });
}

/**
 * Number of lines in some ranges of a file by the commit that changed them last, newest first: by the index of changes, or by git
 * where that is incomplete.
 */
export async function countLinesByCommit(
  path: string,
  ranges: readonly (readonly [number, number])[],
  context: ToolContext,
): Promise<Map<number, number>> {
  const { index, hunks, sources } = context;
  const changes = openChangeIndexIfUsable(hunks);
  const lines = await sources.lines(path);
  const paths = followRenames([path], index.commits).allPaths(path);
  const blamed =
    (changes && lines && blameFromIndex({ paths, lines, ranges }, index, changes)) ??
    (await Promise.all(ranges.map((range) => blameRange(path, range, context)))).flat();
  return countByCommit(blamed, index);
}

/** Newest commit that wrote one of the lines of a file; null when none is known. */
export async function newestCommitOf(
  path: string,
  range: readonly [number, number],
  context: ToolContext,
): Promise<number | null> {
  const { index, hunks, sources } = context;
  const changes = openChangeIndexIfUsable(hunks);
  const lines = await sources.lines(path);
  const paths = followRenames([path], index.commits).allPaths(path);
  const indexed =
    changes && lines && newestCommitFromIndex({ paths, lines, ranges: [range] }, index, changes);
  if (indexed !== null) return indexed;
  const [newest = null] = countByCommit(await blameRange(path, range, context), index).keys();
  return newest;
}

/** Number of blamed lines by indexed commit, newest commit first. */
export function countByCommit(
  lines: readonly Pick<BlameLine, 'oid'>[],
  { commits }: RepositoryIndex,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { oid } of lines) {
    const commit = commits.find(oid);
    if (commit >= 0) counts.set(commit, (counts.get(commit) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
}
