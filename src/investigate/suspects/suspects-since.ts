import type { CommitTable } from '#memory/repository-index.ts';
import type { RankedSuspect } from './rank-suspects.ts';

/**
 * Leaves out the suspects that a commit (full hash) already contains: an error that is new in a release was not caused by what
 * the release before it has. All remain where the commit is not indexed.
 */
export function suspectsSince(
  suspects: RankedSuspect[],
  since: string | null | undefined,
  commits: CommitTable,
): RankedSuspect[] {
  const start = since ? commits.find(since) : -1;
  if (start < 0) return suspects;
  const older = new Uint8Array(commits.count);
  const pending = [start];
  older[start] = 1;
  for (let commit = pending.pop(); commit !== undefined; commit = pending.pop()) {
    for (const parent of commits.parents(commit)) {
      if (parent < 0 || older[parent]) continue;
      older[parent] = 1;
      pending.push(parent);
    }
  }
  return suspects.filter(({ commit }) => !older[commit]);
}
