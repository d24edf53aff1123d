import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isFixCommit } from './fixes.ts';

/** A file of today and how often it changed. */
export interface Hotspot {
  path: string;
  commits: number;
  /** How many of them mended a fault. */
  fixes: number;
  /** Number of its newest commit. */
  last: number;
}

/** Commits that touch more files are sweeps (a new formatter, a move of everything): they tell nothing of one file. */
export const MAX_FILES_PER_COMMIT = 100;

/** Files of today's code that changed most often, the most first; `since` in seconds since 1970. */
export function findHotspots(
  memory: RepositoryIndex,
  { folder, since, limit }: { folder?: string | undefined; since: number | null; limit: number },
): Hotspot[] {
  const { commits, code } = memory;
  const paths = new Map<number, number[]>();
  for (let path = 0; path < commits.pathCount; path++) {
    const name = commits.path(path);
    if (folder && !name.startsWith(`${folder}/`)) continue;
    if (code && code.fileNumber(name) < 0) continue;
    const counted = Array.from(commits.touching(path)).filter(
      (commit) => commits.paths(commit).length <= MAX_FILES_PER_COMMIT && (since === null || commits.time(commit) >= since),
    );
    if (counted.length > 0) paths.set(path, counted);
  }
  return [...paths]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, limit)
    .map(([path, counted]) => ({
      path: commits.path(path),
      commits: counted.length,
      fixes: counted.filter((commit) => isFixCommit(memory, commit)).length,
      last: counted[0]!,
    }));
}
