import { isUtf8 } from 'node:buffer';
import type { Kysely } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { MAX_EDITED_BYTES, type SavedCommit } from '#contract/ide.ts';
import { withBranchLock } from '#db/lock.ts';
import type { Database } from '#db/schema.ts';
import { findEntry, type TreeEntry } from '#git/tree.ts';
import { checkWritablePath } from '#git/writable-path.ts';
import {
  type CommitPlan,
  type FileChange,
  hashBlob,
  moveBranch,
  planCommit,
  type Signature,
  writeCommit,
} from '#git/write.ts';
import {
  type BranchOwner,
  type BranchRow,
  candidateBranchNames,
  readBranchHead,
  requireFreeBranchName,
  requireNewBranch,
} from './branches.ts';
import { readTextContent } from './files.ts';
import { requireStorageQuota, type StorageQuota } from './storage-quota.ts';

/** Where a change goes: the branch, the commit to begin it from, and the commit that the editor began from. */
export interface SaveTarget {
  /** Connections for the branch's lock and what is done under it. */
  lockDb: Kysely<Database>;
  repo: string;
  owner: BranchOwner & { username: string };
  /** Null before the branch is begun. */
  branch: BranchRow | null;
  /** What the caller called the branch; null for their working branch. */
  branchName: string | null;
  indexed: string;
  author: Signature;
  message: string | null;
  /** A commit that the caller may see. */
  baseSha: string | null;
  quota: StorageQuota;
}

const FILE_MODE = '100644';

/**
 * Commits new content for a file, or a new file; `renamedFrom` goes in the same commit. Content that is there
 * already makes no commit, so a save that is sent twice is one.
 * @throws AppError `conflict`, `too_large`, `bad_request` or `unsupported` for what can't be saved
 */
export async function saveFile(
  target: SaveTarget,
  { path, content, renamedFrom }: { path: string; content: string; renamedFrom: string | null },
): Promise<SavedCommit> {
  checkWritablePath(path);
  const bytes = Buffer.from(content);
  if (bytes.length > MAX_EDITED_BYTES) {
    throw new AppError('too_large', 'This file is larger than 1 MiB and can’t be saved here.');
  }
  const oid = await hashBlob(target.repo, bytes);
  const isRename = renamedFrom !== null && renamedFrom !== path;
  const message = isRename ? `Rename ${renamedFrom} to ${path}` : `Update ${path}`;
  return await commitTo(target, path, message, async (head) => {
    const old = await findFile(target, head, isRename ? renamedFrom : path);
    if (old?.oid === oid && !isRename) return [];
    await checkUnchanged(target, isRename ? renamedFrom : path, old);
    if (old) await checkText(target, old);
    const change: FileChange = { path, blob: { oid, mode: old?.mode ?? FILE_MODE, content: bytes } };
    if (!isRename) return [change];
    if (old === null) throw new AppError('not_found', 'There is no file to rename.');
    if (await findEntry(target.repo, head, path)) {
      throw new AppError('conflict', 'There is a file of this name already.', { reason: 'name_taken' });
    }
    return [{ path: renamedFrom, blob: null }, change];
  });
}

/**
 * Commits the deletion of a file.
 * @throws AppError `not_found`, `conflict`
 */
export async function deleteFile(target: SaveTarget, path: string): Promise<SavedCommit> {
  checkWritablePath(path);
  return await commitTo(target, path, `Delete ${path}`, async (head) => {
    const old = await findFile(target, head, path);
    if (old === null) throw new AppError('not_found', 'There is no such file.');
    await checkUnchanged(target, path, old);
    return [{ path, blob: null }];
  });
}

type ChangesAt = (head: string) => Promise<FileChange[]>;

/** Commits to the user's branch, or to a new one under the first of its names that is free. */
async function commitTo(
  target: SaveTarget,
  path: string,
  defaultMessage: string,
  changesAt: ChangesAt,
): Promise<SavedCommit> {
  const message = `${target.message?.trim() || defaultMessage}\n`;
  if (target.branch) return await commitAt(target, target.branch.name, { path, message, changesAt });
  let taken: unknown;
  for (const name of candidateBranchNames(target.owner.username, target.branchName)) {
    try {
      return await commitAt(target, name, { path, message, changesAt });
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'branch_taken') throw error;
      taken = error;
    }
  }
  throw taken;
}

/**
 * Writes what `changesAt` finds to change at the branch's head as one commit. Whoever holds the branch's lock is
 * alone with it, and git compares and swaps besides. Nothing is written before everything has been checked; the row
 * of a new branch and the bytes that the user has saved are kept only if git has moved the branch.
 */
async function commitAt(
  target: SaveTarget,
  name: string,
  { path, message, changesAt }: { path: string; message: string; changesAt: ChangesAt },
): Promise<SavedCommit> {
  const { lockDb, repo, owner, branch, indexed, author: by } = target;
  return await withBranchLock(lockDb, { projectId: owner.projectId, branch: name }, async (transaction) => {
    const from = branch && (await readBranchHead(repo, branch));
    if (branch === null) await requireNewBranch(transaction, repo, owner, name);
    else if (from === null) await requireFreeBranchName(repo, name);
    const parent = from ?? indexed;
    const changes = await changesAt(parent);
    if (changes.length === 0) return { path, commit: parent, branch: name };
    const plan = await planCommit(repo, { parent, changes });
    await requireStorageQuota(transaction, repo, {
      userId: owner.userId,
      bytes: plan.bytes,
      quota: target.quota,
    });
    const commit = await writeCommit(repo, plan, { message, by });
    await keepRow(transaction, target, { name, commit, plan, isFirst: from === null });
    if (!(await moveBranch(repo, { branch: name, from, to: commit }))) {
      throw new AppError('unavailable', 'The branch could not be written. Try again.', { retryAfter: 2 });
    }
    return { path, commit, branch: name };
  });
}

/** The row of the branch as it is after the commit, with what it took. */
async function keepRow(
  db: Kysely<Database>,
  { owner: { projectId, userId }, branch }: SaveTarget,
  { name, commit, plan, isFirst }: { name: string; commit: string; plan: CommitPlan; isFirst: boolean },
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
      ...(isFirst && { base: plan.parent }),
    }))
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .execute();
}

/** The file to change, or null for a new one. Throws when something else lies there. */
async function findFile({ repo }: SaveTarget, commit: string, path: string): Promise<TreeEntry | null> {
  checkWritablePath(path);
  const entry = await findEntry(repo, commit, path);
  if (entry === null) return null;
  if (entry.type === 'tree') throw new AppError('bad_request', 'A folder lies at this path.', ODD);
  if (entry.type === 'commit') throw new AppError('bad_request', 'A submodule lies at this path.', ODD);
  if (entry.mode === '120000') throw new AppError('bad_request', 'A symbolic link lies at this path.', ODD);
  return entry;
}

const ODD = { reason: 'not_a_file' };

/** What was sent as text can't hold the bytes of a file that is none: they would be lost. */
async function checkText({ repo }: SaveTarget, { oid }: TreeEntry): Promise<void> {
  if (isUtf8(await readTextContent(repo, oid))) return;
  throw new AppError('unsupported', 'This file is not UTF-8 text: saving it here would damage it.');
}

/**
 * Holds the file of the branch against the one that the editor began from; other files may have changed. A client
 * that does not say where it began overwrites, and the content before stays in the history.
 */
async function checkUnchanged(
  { repo, baseSha }: SaveTarget,
  path: string,
  now: TreeEntry | null,
): Promise<void> {
  if (baseSha === null) return;
  const base = await findEntry(repo, baseSha, path);
  if (base?.oid === now?.oid) return;
  throw new AppError('conflict', 'This file was changed since you opened it. Nothing was overwritten.', {
    reason: 'file_changed',
  });
}
