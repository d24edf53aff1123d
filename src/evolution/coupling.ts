import type { RepositoryIndex } from '#memory/repository-index.ts';
import { BULK_COMMIT_FILES } from './hotspots.ts';

/** A file that changes in the same commits as another (change coupling). */
interface CoupledFile {
  path: string;
  /** Commits that changed both. */
  together: number;
  /** Number of the newest of them. */
  last: number;
}

/**
 * Files that changed in `touching`, the commits of one path, most frequent first, and the number of commits counted.
 * Ignores bulk changes, and files outside the index unless `unindexed`, which includes deleted ones.
 */
export function findCoupled(
  { commits, code }: RepositoryIndex,
  path: string,
  touching: readonly number[],
  limit: number,
  { unindexed = false } = {},
): { of: number; coupled: CoupledFile[] } {
  const counted = touching.filter((commit) => commits.paths(commit).length <= BULK_COMMIT_FILES);
  const found = new Map<number, { together: number; last: number }>();
  for (const commit of counted) {
    for (const other of commits.paths(commit)) {
      const known = found.get(other);
      if (known) known.together += 1;
      else found.set(other, { together: 1, last: commit });
    }
  }
  const coupled = Array.from(found, ([other, counts]) => ({ path: commits.path(other), ...counts }))
    .filter((other) => other.path !== path)
    .filter((other) => unindexed || code === null || code.fileNumber(other.path) >= 0)
    .toSorted((a, b) => b.together - a.together || a.last - b.last)
    .slice(0, limit);
  return { of: counted.length, coupled };
}
