import { isUtf8 } from 'node:buffer';
import type { Kysely } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { MAX_EDITED_BYTES, type SavedCommit } from '#contract/ide.ts';
import { withBranchLock } from '#db/lock.ts';
import type { Database } from '#db/schema.ts';
import { findEntry, type GitTreeEntry } from '#git/tree.ts';
import { assertWritablePath } from '#git/writable-path.ts';
import {
  type CommitPlan,
  type FileChange,
  hashBlob,
  planCommit,
  type Signature,
  updateBranch,
  writeCommit,
} from '#git/write.ts';
import {
  type BranchOwner,
  type BranchRow,
  candidateBranchNames,
  readBranchHead,
  requireFreeBranchName,
  requireNewBranch,
} from '../project-data/branches.ts';
import { readTextContent } from './files.ts';
import { requireStorageQuota, type StorageQuota } from './storage-quota.ts';

/** Branch and commits of a save. */
interface SaveTarget {
  /** Connections for the branch lock and the queries under it. */
  lockDb: Kysely<Database>;
  repo: string;
  owner: BranchOwner & { username: string };
  /** Null before the first save. */
  branch: BranchRow | null;
  /** Requested branch name; null for the working branch. */
  branchName: string | null;
  indexed: string;
  author: Signature;
  message: string | null;
  /** Commit visible to the caller. */
  baseSha: string | null;
  quota: StorageQuota;
}

const FILE_MODE = '100644';

/**
 * Commits new content of a file, or a new file; a rename is part of the same commit. Unchanged content makes no commit, so that a repeated save is idempotent.
 * @throws AppError `conflict`, `too_large`, `bad_request` or `unsupported`
 */
export async function saveFile(
  target: SaveTarget,
  { path, content, renamedFrom }: { path: string; content: string; renamedFrom: string | null },
): Promise<SavedCommit> {
  assertWritablePath(path);
  const bytes = Buffer.from(content);
  if (bytes.length > MAX_EDITED_BYTES) {
    throw new AppError('too_large', 'file_too_large_to_save');
  }
  const oid = await hashBlob(target.repo, bytes);
  const isRename = renamedFrom !== null && renamedFrom !== path;
  const message = isRename ? `Rename ${renamedFrom} to ${path}` : `Update ${path}`;
  return await commitToBranch(target, path, message, async (head) => {
    const existing = await findFile(target, head, isRename ? renamedFrom : path);
    if (existing?.oid === oid && !isRename) return [];
    await requireUnchanged(target, isRename ? renamedFrom : path, existing);
    if (existing) await requireUtf8(target, existing);
    const change: FileChange = { path, blob: { oid, mode: existing?.mode ?? FILE_MODE, content: bytes } };
    if (!isRename) return [change];
    if (existing === null) throw new AppError('not_found', 'file_to_rename_not_found');
    if (await findEntry(target.repo, head, path)) {
      throw new AppError('conflict', 'file_name_taken', { reason: 'file_exists' });
    }
    return [{ path: renamedFrom, blob: null }, change];
  });
}

/**
 * Commits the deletion of a file.
 * @throws AppError `not_found`, `conflict`
 */
export async function deleteFile(target: SaveTarget, path: string): Promise<SavedCommit> {
  assertWritablePath(path);
  return await commitToBranch(target, path, `Delete ${path}`, async (head) => {
    const existing = await findFile(target, head, path);
    if (existing === null) throw new AppError('not_found', 'file_not_found');
    await requireUnchanged(target, path, existing);
    return [{ path, blob: null }];
  });
}

type ComputeChanges = (head: string) => Promise<FileChange[]>;

/** Commits to the user’s branch, or to a new one under its first free candidate name. */
async function commitToBranch(
  target: SaveTarget,
  path: string,
  defaultMessage: string,
  computeChanges: ComputeChanges,
): Promise<SavedCommit> {
  const message = `${target.message?.trim() || defaultMessage}\n`;
  if (target.branch) return await commitAt(target, target.branch.name, { path, message, computeChanges });
  let lastConflict: unknown;
  for (const name of candidateBranchNames(target.owner.username, target.branchName)) {
    try {
      return await commitAt(target, name, { path, message, computeChanges });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'branch_exists') throw error;
      lastConflict = error;
    }
  }
  throw lastConflict;
}

/**
 * Commits the changes that `computeChanges` returns for the branch head. The branch lock serializes writers, and
 * git updates the ref by compare-and-swap. Nothing is written before all checks; the transaction commits only if
 * git has moved the branch.
 */
async function commitAt(
  target: SaveTarget,
  name: string,
  { path, message, computeChanges }: { path: string; message: string; computeChanges: ComputeChanges },
): Promise<SavedCommit> {
  const { lockDb, repo, owner, branch, indexed, author } = target;
  return await withBranchLock(lockDb, { projectId: owner.projectId, branch: name }, async (transaction) => {
    const from = branch && (await readBranchHead(repo, branch));
    if (branch === null) await requireNewBranch(transaction, repo, owner, name);
    else if (from === null) await requireFreeBranchName(repo, name);
    const parent = from ?? indexed;
    const changes = await computeChanges(parent);
    if (changes.length === 0) return { path, commit: parent, branch: name };
    const plan = await planCommit(repo, { parent, changes });
    await requireStorageQuota(transaction, repo, {
      userId: owner.userId,
      bytes: plan.bytes,
      quota: target.quota,
    });
    const commit = await writeCommit(repo, plan, { message, by: author });
    await saveBranchRow(transaction, target, { name, commit, plan, isNewBranch: from === null });
    if (!(await updateBranch(repo, { branch: name, from, to: commit }))) {
      throw new AppError('unavailable', 'branch_not_written', { retryAfter: 2 });
    }
    return { path, commit, branch: name };
  });
}

/** Inserts or updates the branch row with the new head and saved bytes. */
async function saveBranchRow(
  db: Kysely<Database>,
  { owner: { projectId, userId }, branch }: SaveTarget,
  {
    name,
    commit,
    plan,
    isNewBranch,
  }: { name: string; commit: string; plan: CommitPlan; isNewBranch: boolean },
): Promise<void> {
  if (branch === null) {
    const row = { project_id: projectId, user_id: userId, name, base: plan.parent, head: commit };
    await db
      .insertInto('branches')
      .values({ ...row, saved_bytes: plan.bytes })
      .execute();
    return;
  }
  await db
    .updateTable('branches')
    .set((row) => ({
      head: commit,
      saved_bytes: row('saved_bytes', '+', String(plan.bytes)),
      ...(isNewBranch && { base: plan.parent }),
    }))
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .execute();
}

/** Finds the file to change; null for a new one. Throws when the path is not a regular file. */
async function findFile({ repo }: SaveTarget, commit: string, path: string): Promise<GitTreeEntry | null> {
  assertWritablePath(path);
  const entry = await findEntry(repo, commit, path);
  if (entry === null) return null;
  if (entry.type === 'tree') throw new AppError('bad_request', 'path_is_folder', NOT_A_FILE);
  if (entry.type === 'commit') throw new AppError('bad_request', 'path_is_submodule', NOT_A_FILE);
  if (entry.mode === '120000') throw new AppError('bad_request', 'path_is_symlink', NOT_A_FILE);
  return entry;
}

const NOT_A_FILE = { reason: 'not_a_file' };

/** Text from the client cannot represent a file that is not UTF-8, whose bytes would be lost. */
async function requireUtf8({ repo }: SaveTarget, { oid }: GitTreeEntry): Promise<void> {
  if (isUtf8(await readTextContent(repo, oid))) return;
  throw new AppError('unsupported', 'file_not_utf8');
}

/**
 * Throws `conflict` when the file differs from the base commit. Without a base the save overwrites, and the
 * previous content stays in the history.
 */
async function requireUnchanged(
  { repo, baseSha }: SaveTarget,
  path: string,
  now: GitTreeEntry | null,
): Promise<void> {
  if (baseSha === null) return;
  const base = await findEntry(repo, baseSha, path);
  if (base?.oid === now?.oid) return;
  throw new AppError('conflict', 'file_changed', {
    reason: 'file_changed',
  });
}
