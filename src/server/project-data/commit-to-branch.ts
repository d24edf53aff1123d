import type { Kysely } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { withBranchLock } from '#db/lock.ts';
import type { Database } from '#db/schema.ts';
import { type Signature, updateBranch } from '#git/write.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import {
  type BranchOwner,
  type BranchRow,
  candidateBranchNames,
  findBranch,
  readBranchHead,
  requireFreeBranchName,
  requireNewBranch,
} from './branches.ts';
import { commitSignature } from './commit-signature.ts';
import { projectStorage } from './storage.ts';
import { requireStorageQuota, type StorageQuota } from './storage-quota.ts';

/** Branch of a user that a commit is made on. */
export interface CommitTarget {
  /** Connections for the branch lock and the queries under it. */
  lockDb: Kysely<Database>;
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
  deps: Pick<Deps, 'db' | 'lockDb' | 'config' | 'now'>,
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
  return {
    lockDb: deps.lockDb,
    repo: projectStorage(deps.config.dataDir, project.id).repo,
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
 * Commits what `prepare` returns for the branch head. The branch lock serializes writers, and git updates the ref by
 * compare-and-swap. The transaction commits only if git has moved the branch.
 */
async function commitAt(
  target: CommitTarget,
  name: string,
  prepare: PrepareCommit,
): Promise<{ commit: string; branch: string }> {
  const { lockDb, repo, owner, branch, indexed } = target;
  return await withBranchLock(lockDb, { projectId: owner.projectId, branch: name }, async (transaction) => {
    const from = branch && (await readBranchHead(repo, branch));
    if (branch === null) await requireNewBranch(transaction, repo, owner, name);
    else if (from === null) await requireFreeBranchName(repo, name);
    const parent = from ?? indexed;
    const prepared = await prepare(parent);
    if (prepared === null) return { commit: parent, branch: name };
    const { bytes, write } = prepared;
    await requireStorageQuota(transaction, repo, { userId: owner.userId, bytes, quota: target.quota });
    const commit = await write();
    await saveBranchRow(transaction, target, { name, commit, parent, bytes, isNewBranch: from === null });
    if (!(await updateBranch(repo, { branch: name, from, to: commit }))) {
      throw new AppError('unavailable', 'branch_not_written', { retryAfter: 2 });
    }
    return { commit, branch: name };
  });
}

interface NewHead {
  name: string;
  commit: string;
  parent: string;
  bytes: number;
  isNewBranch: boolean;
}

/** Inserts or updates the branch row with the new head and saved bytes. */
async function saveBranchRow(
  db: Kysely<Database>,
  { owner: { projectId, userId }, branch, sessionId }: CommitTarget,
  { name, commit, parent, bytes, isNewBranch }: NewHead,
): Promise<void> {
  if (branch === null) {
    const row = { project_id: projectId, user_id: userId, name, base: parent, head: commit };
    await db
      .insertInto('branches')
      .values({ ...row, saved_bytes: bytes, session_id: sessionId ?? null })
      .execute();
    return;
  }
  await db
    .updateTable('branches')
    .set((row) => ({
      head: commit,
      saved_bytes: row('saved_bytes', '+', String(bytes)),
      ...(isNewBranch && { base: parent }),
      ...(sessionId && { session_id: sessionId }),
    }))
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .execute();
}
