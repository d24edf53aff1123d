import { AppError } from '#contract/errors.ts';
import { type MergeConflict, mergeTrees, treeOf } from './merge.ts';
import { assertOid, git } from './run.ts';
import { commitTree, type Signature } from './write.ts';

/** Tree of a head without the changes of one commit. */
interface RevertedTree {
  tree: string;
  conflicts: MergeConflict[];
  /** Subject of the commit. */
  subject: string;
}

/**
 * Takes the whole change of a commit out of a head, both full hashes, as `git revert` does. Objects are written; no branch
 * moves. Throws `unsupported` for a merge and for the first commit.
 */
export async function revertTree(
  repo: string,
  { commit, head, by }: { commit: string; head: string; by: Signature },
): Promise<RevertedTree> {
  const { stdout } = await git(
    repo,
    ['log', '-1', '--no-show-signature', '--encoding=UTF-8', '--format=%P%x00%s'],
    {
      name: 'log',
      revisions: [assertOid(commit)],
      paths: [],
    },
  );
  const [parents = '', subject = ''] = stdout.toString().trimEnd().split('\0');
  const [parent, ...others] = parents.split(' ');
  if (!parent || others.length > 0) throw new AppError('unsupported', 'revert_merge');
  // The merge base of two commits is their common parent: with the commit as base, its change is what the sides differ in.
  const above = async (tree: string) =>
    await commitTree(repo, { tree, parents: [commit], message: 'revert\n', author: by, committer: by });
  const ours = await above(await treeOf(repo, head));
  const theirs = await above(await treeOf(repo, parent));
  return { ...(await mergeTrees(repo, ours, theirs)), subject };
}
