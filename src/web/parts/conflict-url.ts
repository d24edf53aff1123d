import type { BranchUpdate } from '#contract/branch-updates.ts';

/** Page that resolves the conflicts of an update, which it makes with the commits that were seen. */
export function updateConflictsUrl(
  projectId: string,
  { branch, method, seen }: { branch: string; method: 'merge' | 'rebase'; seen: BranchUpdate },
): string {
  const { head, upstream } = seen;
  return `/ide/${projectId}/conflicts?${new URLSearchParams({ branch, method, head, upstream })}`;
}

/** Page that resolves the conflicts of a revert on a branch. */
export function revertConflictsUrl(
  projectId: string,
  {
    branch,
    head,
    commit,
    sessionId,
  }: { branch: string; head: string; commit: string; sessionId: string | null },
): string {
  const query = new URLSearchParams({ branch, head, revert: commit });
  if (sessionId !== null) query.set('session', sessionId);
  return `/ide/${projectId}/conflicts?${query}`;
}
