import type { ConflictResolution } from '#contract/branch-updates.ts';
import { AppError } from '#contract/errors.ts';
import { type MergeConflict, treeOf } from '#git/merge.ts';
import { isAncestor } from '#git/refs.ts';
import { revertTree } from '#git/revert.ts';
import { commitTree } from '#git/write.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { commitToBranch, findCommitTarget } from '../project-data/commit-to-branch.ts';
import { missingIndex } from '../project-data/missing-index.ts';
import { countResolvedBytes, resolveConflicts } from './resolve-conflicts.ts';

/** Request to take the changes of a commit out of a branch of the user's. */
interface RevertRequest {
  userId: string;
  /** Full hash. */
  commit: string;
  /** Null for the working branch. */
  branchName: string | null;
  /** Head of the branch that the caller has seen, or null. */
  head: string | null;
  resolutions: readonly ConflictResolution[];
  sessionId: string | null;
}

/** A revert, or the conflicts that it needs to be made with. `head` is that of the branch. */
interface RevertResult {
  repo: string;
  branch: string;
  head: string;
  conflicts: MergeConflict[];
}

/** Upper bound of the trees and the commit that a revert stores beside its files. */
const REVERT_BYTES = 2 ** 18;

/**
 * Reverts a whole commit on a branch. With conflicts nothing is written. Throws `conflict` where the branch does not have the
 * commit's changes, or has moved.
 */
export async function revertOnBranch(
  deps: Deps,
  project: AccessibleProject,
  { userId, commit, branchName, sessionId, ...request }: RevertRequest,
): Promise<RevertResult> {
  const { id, indexed_commit: indexed } = project;
  if (indexed === null) throw await missingIndex(deps, id, 'files_being_read');
  const found = await findCommitTarget(deps, project, { userId, indexed, branchName });
  const { repo, author: by } = found;
  let pending: MergeConflict[] = [];
  const made = await commitToBranch({ ...found, sessionId }, async (head) => {
    if (request.head !== null && request.head !== head) {
      throw new AppError('conflict', 'branch_changed', { reason: 'branch_changed' });
    }
    if (!(await isAncestor(repo, commit, head))) throw nothingToRevert();
    const { subject, ...merged } = await revertTree(repo, { commit, head, by });
    const { conflicts } = merged;
    const tree =
      conflicts.length === 0 ? merged.tree : await resolveConflicts(repo, merged, request.resolutions);
    if (tree === null) {
      pending = conflicts;
      return null;
    }
    if (tree === (await treeOf(repo, head))) throw nothingToRevert();
    const message = `Revert "${subject}"\n\nThis reverts commit ${commit}.\n`;
    const write = () => commitTree(repo, { tree, parents: [head], message, author: by, committer: by });
    return { bytes: REVERT_BYTES + countResolvedBytes(request.resolutions), write };
  });
  return { repo, branch: made.branch, head: made.commit, conflicts: pending };
}

function nothingToRevert(): AppError {
  return new AppError('conflict', 'revert_empty', { reason: 'nothing_to_revert' });
}
