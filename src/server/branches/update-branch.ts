import { sql, type Transaction } from 'kysely';
import type { BranchUpdate, ConflictResolution } from '#contract/branch-updates.ts';
import { AppError } from '#contract/errors.ts';
import { withBranchLock } from '#db/lock.ts';
import type { Database } from '#db/schema.ts';
import { findMergeBase } from '#git/branches.ts';
import { listReplayable, type MergeConflict, mergeTrees, replayCommits } from '#git/merge.ts';
import { isAncestor } from '#git/refs.ts';
import { commitTree, type Signature, updateBranch } from '#git/write.ts';
import type { Deps } from '../deps.ts';
import { requireStorageQuota } from '../project-data/storage-quota.ts';
import { type OpenBranch, readPushedCommits } from './branch-state.ts';
import { countResolvedBytes, presentConflicts, resolveConflicts } from './resolve-conflicts.ts';

/** Request to bring a branch up to date. `head` and `upstream` are what the caller has seen. */
interface UpdateRequest {
  method: 'merge' | 'rebase';
  head: string | null;
  upstream: string | null;
  resolutions: readonly ConflictResolution[];
  by: Signature;
}

const MAX_REPLAYED = 200;
/** Upper bound of the trees and the commit of a merge. */
const MERGE_OVERHEAD_BYTES = 2 ** 18;

/**
 * Merges the default branch into a branch, or rebases the branch on it. With conflicts nothing moves and the reply has them.
 * The branch moves by compare-and-swap under its lock, and its former head stays in the reflog.
 */
export async function updateFromUpstream(
  deps: Pick<Deps, 'lockDb' | 'config' | 'projectFiles'>,
  opened: OpenBranch,
  request: UpdateRequest,
): Promise<BranchUpdate> {
  const { repo, row, head } = opened;
  const upstream = request.upstream ?? opened.upstream.head;
  const isStale = request.head !== null && request.head !== head;
  if (isStale || !(await isAncestor(repo, upstream, opened.upstream.head))) throw branchChanged();
  const unchanged = { head, upstream, conflicts: [], conflicts_omitted: 0, stopped_at: null, steps: null };
  if (await isAncestor(repo, upstream, head)) return { state: 'up_to_date', ...unchanged };
  const made =
    request.method === 'merge'
      ? await merge(opened, upstream, request)
      : await rebase(opened, upstream, request);
  if (made.head === null) {
    const { stoppedAt, steps } = made;
    const stopped = stoppedAt ? (await readPushedCommits(repo, [stoppedAt])).get(stoppedAt) : null;
    const shown = await presentConflicts(repo, made.conflicts);
    return { ...unchanged, ...shown, state: 'conflicts', stopped_at: stopped ?? null, steps };
  }
  const to = made.head;
  const { repositories } = deps.projectFiles;
  await withBranchLock(deps.lockDb, { projectId: row.project_id, branch: row.name }, () =>
    repositories.change(row.project_id, {
      apply: async (transaction) => {
        await moveRow(deps, transaction, opened, { to, resolutions: request.resolutions });
        return { commit: to, known: [head, opened.indexed ?? head] };
      },
      move: () => updateBranch(repo, { branch: row.name, from: head, to }),
    }),
  );
  return { state: 'updated', ...unchanged, head: to };
}

function branchChanged(): AppError {
  return new AppError('conflict', 'branch_changed', { reason: 'branch_changed' });
}

type Outcome =
  | { head: string }
  | { head: null; conflicts: MergeConflict[]; stoppedAt: string | null; steps: BranchUpdate['steps'] };

async function merge(
  { repo, row, head, upstream: { branch } }: OpenBranch,
  upstream: string,
  { resolutions, by }: UpdateRequest,
): Promise<Outcome> {
  const fastForward = await isAncestor(repo, head, upstream);
  if (fastForward) return { head: upstream };
  const merged = await mergeTrees(repo, head, upstream);
  const { conflicts } = merged;
  const tree = conflicts.length === 0 ? merged.tree : await resolveConflicts(repo, merged, resolutions);
  if (tree === null) return { head: null, conflicts, stoppedAt: null, steps: null };
  const message = `Merge branch '${branch}' into ${row.name}\n`;
  const commit = { tree, parents: [head, upstream], message, author: by, committer: by };
  return { head: await commitTree(repo, commit) };
}

/** Replays the branch on its upstream; a commit that conflicts takes the resolutions that name it. */
async function rebase(
  { repo, head }: OpenBranch,
  upstream: string,
  { by, resolutions }: UpdateRequest,
): Promise<Outcome> {
  const base = (await findMergeBase(repo, head, upstream)) ?? upstream;
  const commits = await listReplayable(repo, { base, head, max: MAX_REPLAYED });
  if (commits === null) {
    throw new AppError('too_large', 'rebase_too_long', {
      params: { limit: MAX_REPLAYED },
      reason: 'too_many_commits',
    });
  }
  const replayed = await replayCommits(repo, {
    ...{ commits, onto: upstream, by },
    resolve: (merged, commit) => {
      const chosen = resolutions.filter((resolution) => resolution.commit === commit);
      const conflicts = merged.conflicts.map(asOwnSide);
      return resolveConflicts(repo, { tree: merged.tree, conflicts }, chosen);
    },
  });
  if (replayed.head !== null) return replayed;
  const { stoppedAt } = replayed;
  const steps = { step: commits.indexOf(stoppedAt) + 1, total: commits.length };
  return { head: null, conflicts: replayed.conflicts.map(asOwnSide), stoppedAt, steps };
}

/** The reader's commit is `ours`, as in a merge; in git's replay it is `theirs`. */
function asOwnSide({ ours, theirs, ...conflict }: MergeConflict): MergeConflict {
  return { ...conflict, ours: theirs, theirs: ours };
}

/** Counts what a merge writes with what its user has saved, and moves the branch to its new head. */
async function moveRow(
  { config }: Pick<Deps, 'config'>,
  transaction: Transaction<Database>,
  { repo, row, head }: OpenBranch,
  { to, resolutions }: { to: string; resolutions: readonly ConflictResolution[] },
): Promise<void> {
  const bytes = countResolvedBytes(resolutions) + MERGE_OVERHEAD_BYTES;
  const quota = { userMb: config.userQuotaMb ?? 0, repositoryMb: config.git.maxRepoMb };
  await requireStorageQuota(transaction, repo, { userId: row.user_id, bytes, quota });
  const { numUpdatedRows } = await transaction
    .updateTable('branches')
    .set({ head: to, saved_bytes: sql`saved_bytes + ${bytes}` })
    .where('project_id', '=', row.project_id)
    .where('name', '=', row.name)
    .where('head', '=', head)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw branchChanged();
}
