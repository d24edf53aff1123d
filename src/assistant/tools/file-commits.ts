import { type BlameLine, blame } from '#git/blame.ts';
import { followRenames } from '#investigate/history/renames.ts';
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
  lines: [number, number] | null,
  { repo, index, signal }: ToolContext,
): Promise<BlameLine[]> {
  if (!lines) return [];
  const [from, to] = lines;
  const last = Math.min(to, from + MAX_LINES);
  return await blame(repo, { commit: index.revision, path, from, to: last, signal });
}

/** Number of blamed lines by indexed commit, newest commit first. */
export function countByCommit(lines: BlameLine[], { commits }: RepositoryIndex): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { oid } of lines) {
    const commit = commits.find(oid);
    if (commit >= 0) counts.set(commit, (counts.get(commit) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
}
