import type { Kysely, Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { withBranchLock } from '#db/lock.ts';
import type { Database } from '#db/schema.ts';
import { type Signature, updateBranch } from '#git/write.ts';
import { failpoint } from '#scheduling/failpoint.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import {
  type BranchOwner,
  type BranchRow,
  candidateBranchNames,
  findBranch,
  readBranchHead,
  requireNewBranch,
} from './branches.ts';
import { commitSignature } from './commit-signature.ts';
import type { Repositories } from './repositories.ts';
import { lockRepository } from './repository-rows.ts';
import { requireStorageQuota, type StorageQuota } from './storage-quota.ts';

/** Branch of a user that a commit is made on. */
export interface CommitTarget {
  /** Connections for the branch lock. */
  lockDb: Kysely<Database>;
  repositories: Repositories;
  repo: string;
  owner: BranchOwner & { username: string };
  /** Null before the first commit. */
  branch: BranchRow | null;
  /** Requested branch name; null for the working branch. */
  branchName: string | null;
  /** Commit that a new branch begins at. */
  indexed: string;
  author: Signature;
  quota: StorageQuota;
  /** Debug session that the commit fixes. */
  sessionId?: string | null;
}

/** A commit that has passed its checks; `bytes` is an upper bound of what it stores. */
interface PreparedCommit {
  bytes: number;
  write: () => Promise<string>;
}

/** Prepares a commit on a branch head; null when nothing would change. */
type PrepareCommit = (head: string) => Promise<PreparedCommit | null>;

/** Finds the user’s branch of a name, or their working branch, to commit to. Throws `unavailable` before the first index. */
export async function findCommitTarget(
  deps: Pick<Deps, 'db' | 'lockDb' | 'config' | 'projectFiles' | 'now'>,
  project: Pick<AccessibleProject, 'id'>,
  { userId, indexed, branchName }: { userId: string; indexed: string; branchName: string | null },
): Promise<CommitTarget> {
  const user = await deps.db
    .selectFrom('users')
    .select(['username', 'full_name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const owner = { projectId: project.id, userId, username: user.username };
  const { userQuotaMb, git } = deps.config;
  const { repositories } = deps.projectFiles;
  return {
    lockDb: deps.lockDb,
    repositories,
    repo: await repositories.open(project.id),
    owner,
    branch: await findBranch(deps.db, owner, branchName),
    branchName,
    indexed,
    author: commitSignature(user, deps.now()),
    quota: { userMb: userQuotaMb ?? 0, repositoryMb: git.maxRepoMb },
  };
}

/** Commits to the user’s branch, or to a new one under its first free candidate name. */
export async function commitToBranch(
  target: CommitTarget,
  prepare: PrepareCommit,
): Promise<{ commit: string; branch: string }> {
  if (target.branch) return await commitAt(target, target.branch.name, prepare);
  let lastConflict: unknown;
  for (const name of candidateBranchNames(target.owner.username, target.branchName)) {
    try {
      return await commitAt(target, name, prepare);
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'branch_exists') throw error;
      lastConflict = error;
    }
  }
  throw lastConflict;
}

/**
 * Commits what `prepare` returns for the branch head. The branch lock serializes writers on all servers, and the row moves by
 * compare-and-swap once the commit is stored.
 */
async function commitAt(
  target: CommitTarget,
  name: string,
  prepare: PrepareCommit,
): Promise<{ commit: string; branch: string }> {
  const { lockDb, repositories, repo, owner, branch, indexed } = target;
  const { projectId } = owner;
  return await withBranchLock(lockDb, { projectId, branch: name }, async () => {
    let from: string | null = null;
    let commit = indexed;
    await repositories.change(projectId, {
      apply: async (transaction) => {
        const stored = branch && (await requireStoredHead(transaction, { projectId, name }));
        if (stored === null) await claimName(transaction, owner, name);
        else from = await requireHeadHere(target, { name, head: stored });
        const parent = from ?? indexed;
        commit = parent;
        const prepared = await prepare(parent);
        if (prepared === null) return null;
        const { bytes, write } = prepared;
        await requireStorageQuota(transaction, repo, { userId: owner.userId, bytes, quota: target.quota });
        commit = await write();
        await saveBranchRow(transaction, target, {
          name,
          commit,
          parent,
          bytes,
          stored,
          isNew: from === null,
        });
        return { commit, known: [parent] };
      },
      move: () => {
        failpoint('branch-saved');
        return updateBranch(repo, { branch: name, from, to: commit });
      },
    });
    return { commit, branch: name };
  });
}

/** Head of the row of a branch whose lock is held. Throws where the branch was deleted. */
async function requireStoredHead(
  transaction: Transaction<Database>,
  { projectId, name }: { projectId: string; name: string },
): Promise<string> {
  const row = await transaction
    .selectFrom('branches')
    .select('head')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!row) throw branchNotWritten();
  return row.head;
}

/**
 * Commit on this disk to continue a branch from; null where the disk has lost the branch. Throws while another server's commit is
 * not on this disk, which a save would take out of the branch.
 */
async function requireHeadHere(
  { repo, repositories }: CommitTarget,
  row: Pick<BranchRow, 'name' | 'head'>,
): Promise<string | null> {
  const head = await readBranchHead(repo, row);
  if (head !== row.head && repositories.isShared) throw branchNotWritten();
  return head;
}

/** Makes sure that a new branch has its name on every server. */
async function claimName(
  transaction: Transaction<Database>,
  owner: BranchOwner,
  name: string,
): Promise<void> {
  await lockRepository(transaction, owner.projectId);
  await requireNewBranch(transaction, owner, name);
}

interface NewHead {
  name: string;
  commit: string;
  parent: string;
  bytes: number;
  /** Head of the row before the commit; null for a new branch. */
  stored: string | null;
  /** True where the branch begins with this commit. */
  isNew: boolean;
}

/** Inserts or updates the branch row with the new head and saved bytes. Throws `unavailable` where the branch has moved. */
async function saveBranchRow(
  db: Kysely<Database>,
  { owner: { projectId, userId }, sessionId }: CommitTarget,
  { name, commit, parent, bytes, stored, isNew }: NewHead,
): Promise<void> {
  if (stored === null) {
    const row = { project_id: projectId, user_id: userId, name, base: parent, head: commit };
    await db
      .insertInto('branches')
      .values({ ...row, saved_bytes: bytes, session_id: sessionId ?? null })
      .execute();
    return;
  }
  const { numUpdatedRows } = await db
    .updateTable('branches')
    .set((row) => ({
      head: commit,
      saved_bytes: row('saved_bytes', '+', String(bytes)),
      ...(isNew && { base: parent }),
      ...(sessionId && { session_id: sessionId }),
    }))
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('head', '=', stored)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw branchNotWritten();
}

function branchNotWritten(): AppError {
  return new AppError('unavailable', 'branch_not_written', { retryAfter: 2 });
}
