import { AppError } from '#contract/errors.ts';
import { treeOf } from '#git/merge.ts';
import { isAncestor } from '#git/refs.ts';
import { revertTree } from '#git/revert.ts';
import { commitTree } from '#git/write.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { commitToBranch, findCommitTarget } from '../project-data/commit-to-branch.ts';

/** Upper bound of the trees and the commit that a revert stores beside its files. */
const REVERT_BYTES = 2 ** 18;
/** Conflicting files that an error names. */
const MAX_NAMED_PATHS = 3;

/**
 * Reverts a whole commit on the user's working branch. Throws `conflict` where later commits changed the same lines, or the
 * branch does not have the commit's changes.
 */
export async function revertOnWorkingBranch(
  deps: Deps,
  project: AccessibleProject,
  { userId, commit }: { userId: string; commit: string },
): Promise<{ commit: string; branch: string }> {
  const { indexed_commit: indexed } = project;
  if (indexed === null)
    throw new AppError('unavailable', 'files_being_read', { reason: 'not_ready', retryAfter: 5 });
  const target = await findCommitTarget(deps, project, { userId, indexed, branchName: null });
  const { repo, author: by } = target;
  return await commitToBranch(target, async (head) => {
    if (!(await isAncestor(repo, commit, head))) throw nothingToRevert();
    const { tree, conflicts, subject } = await revertTree(repo, { commit, head, by });
    if (conflicts.length > 0) {
      const paths = conflicts.slice(0, MAX_NAMED_PATHS).map(({ path }) => path.slice(0, 200));
      const params = { count: conflicts.length, paths: paths.join(', ') };
      throw new AppError('conflict', 'revert_conflict', { params, reason: 'revert_conflict' });
    }
    if (tree === (await treeOf(repo, head))) throw nothingToRevert();
    const message = `Revert "${subject}"\n\nThis reverts commit ${commit}.\n`;
    const write = () => commitTree(repo, { tree, parents: [head], message, author: by, committer: by });
    return { bytes: REVERT_BYTES, write };
  });
}

function nothingToRevert(): AppError {
  return new AppError('conflict', 'revert_empty', { reason: 'nothing_to_revert' });
}
