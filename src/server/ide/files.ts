import { isUtf8 } from 'node:buffer';
import { AppError } from '#contract/errors.ts';
import { type FileContent, type FileTree, MAX_EDITED_BYTES, type TreeEntry } from '#contract/ide.ts';
import { openBlobs } from '#git/blobs.ts';
import { isIndexablePath } from '#git/paths.ts';
import { findEntry, type TreeEntry as GitEntry, listFolder, listTree } from '#git/tree.ts';
import { detectLanguage } from '#memory/chunk/languages.ts';
import type { Deps } from '../deps.ts';
import type { ProjectRow } from '../identity/access.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { findBranch, readBranchHead } from './branches.ts';

/** The commit that a read is about, and the caller's branch that stands there. */
export interface FileVersion {
  commit: string;
  branch: string | null;
}

/**
 * What answers a read: the version that was asked for, else the caller's working branch once something was saved to
 * it, else the indexed commit.
 * @throws AppError `not_found` for a version that is not there, `unavailable` before there is an indexed commit
 */
export async function resolveVersion(
  deps: Deps,
  repo: string,
  {
    project,
    userId,
    ref = null,
    signal,
  }: { project: ProjectRow; userId: string; ref?: string | null; signal?: AbortSignal },
): Promise<FileVersion> {
  const branch = await findBranch(deps.db, { projectId: project.id, userId }, ref);
  const head = branch && (await readBranchHead(repo, branch));
  if (head) return { commit: head, branch: branch.name };
  if (ref === null) return { commit: requireIndexedCommit(project.indexed_commit), branch: null };
  const { commit } = await resolveRevision(deps, { project, userId, name: ref, signal });
  return { commit, branch: null };
}

/** The indexed commit; a project that has none yet is an error in words. */
export function requireIndexedCommit(indexed: string | null): string {
  if (indexed !== null) return indexed;
  throw new AppError('unavailable', 'This project is still being read. Its files can be opened afterwards.', {
    reason: 'not_ready',
    retryAfter: 5,
  });
}

/** Limits of one reply; larger trees are read folder by folder. */
export const MAX_TREE_ENTRIES = 20_000;
const MAX_TREE_BYTES = 2 * 2 ** 20;
/** JSON of an entry beside its name, at most. */
const ENTRY_BYTES = 64;

/** Files and folders, and whether some were left out: beyond the limits, or with a path that is too long. */
export interface FileTreeResult {
  tree: FileTree;
  truncated: boolean;
}

/**
 * Every file of a commit as nested folders; of a commit with more than the limits only its root, whose folders have no
 * `children`. Names are keys, so nothing here has a prototype.
 */
export async function readTree(repo: string, commit: string, signal?: AbortSignal): Promise<FileTreeResult> {
  const budget = createTreeBudget();
  const root = emptyTree();
  const folders = new Map<string, FileTree>([['', root]]);
  let truncated = false;
  for await (const entry of listTree(repo, commit, { signal })) {
    const path = nameOf(entry);
    const { folder, name } = split(path);
    const known = folders.size;
    if (isIndexablePath(path)) folderAt(folders, folder)[name] = present(entry);
    else truncated = true;
    const isWithin = budget.take(name) && budget.take(folder, folders.size - known);
    if (!isWithin) return { ...(await readFolder(repo, commit, '', signal)), truncated: true };
  }
  return { tree: root, truncated };
}

/** What lies in one folder of a commit; the root for ''. Throws `not_found` when there is no such folder. */
export async function readFolder(
  repo: string,
  commit: string,
  path: string,
  signal?: AbortSignal,
): Promise<FileTreeResult> {
  const folder = path === '' ? { type: 'tree', oid: commit } : await findEntry(repo, commit, path);
  if (folder?.type !== 'tree') throw new AppError('not_found', 'There is no such folder.');
  const budget = createTreeBudget();
  const { entries, truncated } = await listFolder(repo, folder.oid, { max: MAX_TREE_ENTRIES, signal });
  const tree = emptyTree();
  let left = truncated;
  for (const entry of entries) {
    const name = nameOf(entry);
    if (isIndexablePath(name) && budget.take(name)) tree[name] = present(entry);
    else left = true;
  }
  return { tree, truncated: left };
}

/** Counts the entries and bytes of a reply; false once there are too many. */
function createTreeBudget() {
  let entries = 0;
  let bytes = 0;
  return {
    take(name: string, count = 1): boolean {
      if (count === 0) return true;
      entries += count;
      bytes += Buffer.byteLength(JSON.stringify(name)) + count * ENTRY_BYTES;
      return entries <= MAX_TREE_ENTRIES && bytes <= MAX_TREE_BYTES;
    },
  };
}

/**
 * A file as the editor opens it.
 * @throws AppError `not_found`, `too_large` above 1 MiB, `unsupported` for what is no text
 */
export async function openFile(
  repo: string,
  { commit, branch }: FileVersion,
  { path, mayEdit }: { path: string; mayEdit: boolean },
  signal?: AbortSignal,
): Promise<FileContent> {
  const entry = await findEntry(repo, commit, path);
  if (entry === null || entry.type === 'tree') throw new AppError('not_found', 'There is no such file.');
  if (entry.type === 'commit') {
    throw new AppError('unsupported', 'This is a submodule: another repository, which is not opened here.');
  }
  const content = await readTextContent(repo, entry.oid, signal);
  const text = content.toString('utf8');
  return {
    path,
    content: text,
    commit,
    branch,
    size: content.length,
    language: detectLanguage(path, text),
    read_only: readOnly({ isLink: entry.mode === '120000', content, mayEdit }),
  };
}

function readOnly({ isLink, content, mayEdit }: { isLink: boolean; content: Buffer; mayEdit: boolean }) {
  if (isLink) return 'link';
  if (!isUtf8(content)) return 'encoding';
  return mayEdit ? null : 'viewer';
}

/** The bytes of a text file. Throws `too_large` or `unsupported`. */
export async function readTextContent(repo: string, oid: string, signal?: AbortSignal): Promise<Buffer> {
  const blobs = openBlobs(repo, { signal });
  try {
    const blob = await blobs.read(oid, MAX_EDITED_BYTES);
    if (blob === null) throw new AppError('not_found', 'There is no such file.');
    if ('tooLarge' in blob) {
      throw new AppError('too_large', 'This file is larger than 1 MiB and is not opened here.');
    }
    if (blob.content.subarray(0, BINARY_WINDOW).includes(0)) {
      throw new AppError('unsupported', 'This file is binary and is not opened as text.');
    }
    return blob.content;
  } finally {
    blobs.close();
  }
}

/** How much of a file git itself looks at to call it binary. */
const BINARY_WINDOW = 8_000;

function emptyTree(): FileTree {
  return Object.create(null) as FileTree;
}

/** A name that is not UTF-8 is shown by its bytes, so that it is listed and counted like any other. */
function nameOf({ path, raw }: GitEntry): string {
  return path ?? raw.toString('latin1');
}

function present({ mode, type, size, path }: GitEntry): TreeEntry {
  if (type === 'tree') return { type: 'directory' };
  const odd =
    type === 'commit' ? 'submodule' : mode === '120000' ? 'link' : path === null ? 'name' : undefined;
  return { type: 'file', size, ...(odd && { not_editable: odd }) };
}

function split(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}

function folderAt(folders: Map<string, FileTree>, path: string): FileTree {
  const known = folders.get(path);
  if (known) return known;
  const { folder, name } = split(path);
  const children = emptyTree();
  folderAt(folders, folder)[name] = { type: 'directory', children };
  folders.set(path, children);
  return children;
}
