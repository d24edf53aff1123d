import { AppError } from '#contract/errors.ts';
import { MAX_EDITED_BYTES, type SavedCommit, type TextEncoding } from '#contract/ide.ts';
import { isIndexablePath, MAX_PATH_BYTES } from '#git/paths.ts';
import { findEntry, type GitTreeEntry, listTree } from '#git/tree.ts';
import { assertWritablePath } from '#git/writable-path.ts';
import { type FileChange, hashBlob, planCommit, writeCommit } from '#git/write.ts';
import { type CommitTarget, commitToBranch } from '../project-data/commit-to-branch.ts';
import { readTextContent } from './files.ts';
import { encodeText } from './text-encoding.ts';

/** Branch and commits of a save. */
export interface SaveTarget extends CommitTarget {
  message: string | null;
  /** Commit visible to the caller. */
  baseSha: string | null;
}

const FILE_MODE = '100644';

/**
 * Commits new content of a file, or a new file; a rename is part of the same commit. Unchanged content makes no commit, so that a repeated save is idempotent.
 * @throws AppError `conflict`, `too_large`, `bad_request` or `unsupported`
 */
export async function saveFile(
  target: SaveTarget,
  { path, renamedFrom, ...text }: TextToSave & { path: string; renamedFrom: string | null },
): Promise<SavedCommit> {
  assertWritablePath(path);
  const bytes = encodeContent(text);
  const oid = hashBlob(bytes, target.indexed);
  const isRename = renamedFrom !== null && renamedFrom !== path;
  const message = isRename ? `Rename ${renamedFrom} to ${path}` : `Update ${path}`;
  return await commitChanges(target, path, message, async (head) => {
    const existing = await findFile(target, head, isRename ? renamedFrom : path);
    if (existing?.oid === oid && !isRename) return [];
    await requireUnchanged(target, isRename ? renamedFrom : path, existing);
    if (existing) await requireEncoding(target, existing, text.encoding);
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
 * Commits several files at once; a null content deletes. Every file is compared with its own base.
 * @throws AppError as `saveFile` does, for the first file that is refused
 */
export async function saveFiles(
  target: CommitTarget & { message: string | null },
  files: readonly {
    path: string;
    content: string | null;
    encoding: TextEncoding;
    baseSha: string | null;
  }[],
): Promise<Omit<SavedCommit, 'path'>> {
  for (const { path } of files) assertWritablePath(path);
  const [first] = files;
  const message = files.length === 1 ? `Update ${first!.path}` : `Update ${files.length} files`;
  const { commit, branch } = await commitChanges(target, first!.path, message, async (head) => {
    const changes: FileChange[] = [];
    for (const { path, content, encoding, baseSha } of files) {
      const existing = await findFile(target, head, path);
      const bytes = content === null ? null : encodeContent({ content, encoding });
      const oid = bytes && hashBlob(bytes, target.indexed);
      if (existing?.oid === (oid ?? undefined)) continue;
      await requireUnchanged({ ...target, baseSha }, path, existing);
      if (existing && bytes) await requireEncoding(target, existing, encoding);
      const mode = existing?.mode ?? FILE_MODE;
      changes.push({ path, blob: bytes && oid ? { oid, mode, content: bytes } : null });
    }
    return changes;
  });
  return { commit, branch };
}

/**
 * Commits the deletion of a file, or of a folder with all that is in it.
 * @throws AppError `not_found`, `conflict`, `bad_request` for a folder unless `recursive`
 */
export async function deleteEntry(
  target: SaveTarget,
  path: string,
  { recursive }: { recursive: boolean },
): Promise<SavedCommit> {
  assertWritablePath(path);
  return await commitChanges(target, path, `Delete ${path}`, async (head) => {
    const existing = await (recursive ? findFileOrFolder : findFile)(target, head, path);
    if (existing === null) throw new AppError('not_found', 'file_not_found');
    await requireUnchanged(target, path, existing);
    return [{ path, blob: null }];
  });
}

/**
 * Commits a file or a folder at another path; the content of its files is neither read nor written.
 * @throws AppError `not_found`, `conflict`, `bad_request`, `too_large`
 */
export async function moveEntry(
  target: SaveTarget,
  { from, to }: { from: string; to: string },
): Promise<SavedCommit> {
  for (const path of [from, to]) assertWritablePath(path);
  if (`${to}/`.startsWith(`${from}/`)) throw new AppError('bad_request', 'path_within_itself');
  return await commitChanges(target, to, `Rename ${from} to ${to}`, async (head) => {
    const entry = await findFileOrFolder(target, head, from);
    if (entry === null) throw new AppError('not_found', 'file_to_rename_not_found');
    await requireUnchanged(target, from, entry);
    if (await findEntry(target.repo, head, to)) {
      throw new AppError('conflict', 'file_name_taken', { reason: 'file_exists' });
    }
    const { oid, mode, type } = entry;
    if (type === 'tree') await requireShortPaths(target.repo, oid, to);
    return [
      { path: from, blob: null },
      { path: to, blob: { oid, mode } },
    ];
  });
}

/** Files of a folder that can be moved at once. */
const MAX_MOVED_FILES = 100_000;

/** Throws unless all paths of a moved folder stay within the limits. */
async function requireShortPaths(repo: string, tree: string, folder: string): Promise<void> {
  let count = 0;
  for await (const { path, raw } of listTree(repo, tree)) {
    count += 1;
    if (count > MAX_MOVED_FILES) throw new AppError('too_large', 'folder_too_large', FOLDER_TOO_LARGE);
    if (!isIndexablePath(`${folder}/${path ?? raw.toString('latin1')}`))
      throw new AppError('bad_request', 'path_too_long', {
        params: { limit: MAX_PATH_BYTES },
        reason: 'invalid_path',
      });
  }
}

const FOLDER_TOO_LARGE = { reason: 'folder_too_large' };

type ComputeChanges = (head: string) => Promise<FileChange[]>;

async function commitChanges(
  target: CommitTarget & { message: string | null },
  path: string,
  defaultMessage: string,
  computeChanges: ComputeChanges,
): Promise<SavedCommit> {
  const { repo, author: by } = target;
  const message = `${target.message?.trim() || defaultMessage}\n`;
  const saved = await commitToBranch(target, async (parent) => {
    const changes = await computeChanges(parent);
    if (changes.length === 0) return null;
    // Nothing is written before all checks.
    const plan = await planCommit(repo, { parent, changes });
    return { bytes: plan.bytes, write: () => writeCommit(repo, plan, { message, by }) };
  });
  return { path, ...saved };
}

/** Finds the file to change; null for a new one. Throws when the path is not a regular file. */
async function findFile(target: CommitTarget, commit: string, path: string): Promise<GitTreeEntry | null> {
  const entry = await findFileOrFolder(target, commit, path);
  if (entry?.type === 'tree') throw new AppError('bad_request', 'path_is_folder', NOT_A_FILE);
  return entry;
}

/** Finds the file or folder to change; null for a new one. Throws for links and submodules. */
async function findFileOrFolder(
  { repo }: CommitTarget,
  commit: string,
  path: string,
): Promise<GitTreeEntry | null> {
  assertWritablePath(path);
  const entry = await findEntry(repo, commit, path);
  if (entry === null) return null;
  if (entry.type === 'commit') throw new AppError('bad_request', 'path_is_submodule', NOT_A_FILE);
  if (entry.mode === '120000') throw new AppError('bad_request', 'path_is_symlink', NOT_A_FILE);
  return entry;
}

const NOT_A_FILE = { reason: 'not_a_file' };

/** Text of a save and the encoding of its file. */
interface TextToSave {
  content: string;
  encoding: TextEncoding;
}

function encodeContent({ content, encoding }: TextToSave): Buffer {
  const bytes = encodeText(content, encoding);
  if (bytes === null) throw new AppError('unsupported', 'text_not_in_encoding', { params: { encoding } });
  if (bytes.length > MAX_EDITED_BYTES) throw new AppError('too_large', 'file_too_large_to_save');
  return bytes;
}

/** Refuses another encoding than that of the file, whose bytes would change in lines that were not edited. */
async function requireEncoding(
  { repo }: CommitTarget,
  { oid }: GitTreeEntry,
  encoding: TextEncoding,
): Promise<void> {
  const existing = await readTextContent(repo, oid);
  if (existing.encoding === encoding) return;
  throw new AppError('unsupported', 'file_encoding_differs', { params: { encoding: existing.encoding } });
}

/**
 * Throws `conflict` when the file differs from the base commit. Without a base the save overwrites, and the
 * previous content stays in the history.
 */
async function requireUnchanged(
  { repo, baseSha }: Pick<SaveTarget, 'repo' | 'baseSha'>,
  path: string,
  now: GitTreeEntry | null,
): Promise<void> {
  if (baseSha === null) return;
  const base = await findEntry(repo, baseSha, path);
  if (base?.oid === now?.oid) return;
  throw new AppError('conflict', 'file_changed', {
    reason: 'file_changed',
    params: { path, current: now?.oid ?? '' },
  });
}
