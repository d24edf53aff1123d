import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isFixCommit } from './fixes.ts';

/** A current file and the number of its changes. */
interface Hotspot {
  path: string;
  commits: number;
  /** Number of commits that are fixes. */
  fixes: number;
  /** Number of its newest commit. */
  last: number;
}

/** Commits of more files are bulk changes (a new formatter, a mass move) and say nothing about single files. */
export const BULK_COMMIT_FILES = 100;

/** Current files that changed most often, most frequent first; `since` is a Unix time in seconds. */
export function findHotspots(
  index: RepositoryIndex,
  { folder, since, limit }: { folder?: string | undefined; since: number | null; limit: number },
): Hotspot[] {
  const { commits, code } = index;
  const paths = new Map<number, number[]>();
  for (let path = 0; path < commits.pathCount; path++) {
    const name = commits.path(path);
    if (folder && !name.startsWith(`${folder}/`)) continue;
    if (code && code.fileNumber(name) < 0) continue;
    const counted = Array.from(commits.touching(path)).filter(
      (commit) =>
        commits.paths(commit).length <= BULK_COMMIT_FILES &&
        (since === null || commits.time(commit) >= since),
    );
    if (counted.length > 0) paths.set(path, counted);
  }
  return [...paths]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, limit)
    .map(([path, counted]) => ({
      path: commits.path(path),
      commits: counted.length,
      fixes: counted.filter((commit) => isFixCommit(index, commit)).length,
      last: counted[0]!,
    }));
}
