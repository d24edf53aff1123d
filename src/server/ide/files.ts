import { AppError } from '#contract/errors.ts';
import {
  type FileContent,
  type FileTree,
  MAX_EDITED_BYTES,
  type TextEncoding,
  type TreeEntry,
} from '#contract/ide.ts';
import { openBlobReader } from '#git/blobs.ts';
import { isIndexablePath } from '#git/paths.ts';
import { findEntry, type GitTreeEntry as GitEntry, listFolder, listTree } from '#git/tree.ts';
import { detectLanguage } from '#memory/chunk/languages.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { findBranch, readBranchHead } from '../project-data/branches.ts';
import { missingIndex } from '../project-data/missing-index.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { decodeFileText, detectEncoding } from './text-encoding.ts';

/** Commit to read, and the caller’s branch whose head it is. */
interface FileVersion {
  commit: string;
  branch: string | null;
}

/**
 * Version to read: the requested one, else the head of the caller’s working branch, else the indexed commit.
 * @throws AppError `not_found` for an unknown version, `unavailable` before a commit is indexed, `conflict` where indexing failed
 */
export async function resolveVersion(
  deps: Deps,
  repo: string,
  {
    project,
    userId,
    ref = null,
    signal,
  }: { project: AccessibleProject; userId: string; ref?: string | null; signal?: AbortSignal },
): Promise<FileVersion> {
  const branch = await findBranch(deps.db, { projectId: project.id, userId }, ref);
  const head = branch && (await readBranchHead(repo, branch));
  if (head) return { commit: head, branch: branch.name };
  if (ref === null) {
    const commit = project.partial_index?.commit ?? (await requireIndexedCommit(deps, project));
    return { commit, branch: null };
  }
  const { commit } = await resolveRevision(deps, { project, userId, name: ref, signal });
  return { commit, branch: null };
}

/** The indexed commit of a project. Throws `unavailable` before there is one, `conflict` where indexing failed. */
export async function requireIndexedCommit(
  deps: Pick<Deps, 'db'>,
  { id, indexed_commit: indexed }: Pick<AccessibleProject, 'id' | 'indexed_commit'>,
): Promise<string> {
  if (indexed === null) throw await missingIndex(deps, id, 'files_being_read');
  return indexed;
}

/** Limits of one reply; larger trees are read per folder. */
const MAX_TREE_ENTRIES = 20_000;
const MAX_TREE_BYTES = 2 * 2 ** 20;
/** Maximum JSON size of an entry without its name. */
const MAX_ENTRY_OVERHEAD_BYTES = 64;

/** File tree; `truncated` when entries were omitted for the limits or an over-long path. */
interface FileTreeResult {
  tree: FileTree;
  truncated: boolean;
}

/**
 * Reads all files of a commit as nested folders; over the limits only the root, whose folders have no `children`.
 * The objects have no prototype, since their keys are file names.
 */
export async function readTree(repo: string, commit: string, signal?: AbortSignal): Promise<FileTreeResult> {
  const budget = createTreeBudget();
  const root = emptyTree();
  const folders = new Map<string, FileTree>([['', root]]);
  let truncated = false;
  for await (const entry of listTree(repo, commit, { signal })) {
    const path = entryName(entry);
    const { folder, name } = splitPath(path);
    const known = folders.size;
    if (isIndexablePath(path)) getOrCreateFolder(folders, folder)[name] = presentEntry(entry);
    else truncated = true;
    const fits = budget.take(name) && budget.take(folder, folders.size - known);
    if (!fits) return { ...(await readFolder(repo, commit, '', signal)), truncated: true };
  }
  return { tree: root, truncated };
}

/** Reads one folder of a commit; the root for an empty path. Throws `not_found`. */
export async function readFolder(
  repo: string,
  commit: string,
  path: string,
  signal?: AbortSignal,
): Promise<FileTreeResult> {
  const folder = path === '' ? { type: 'tree', oid: commit } : await findEntry(repo, commit, path);
  if (folder?.type !== 'tree') throw new AppError('not_found', 'folder_not_found');
  const budget = createTreeBudget();
  const { entries, truncated } = await listFolder(repo, folder.oid, { max: MAX_TREE_ENTRIES, signal });
  const tree = emptyTree();
  let isTruncated = truncated;
  for (const entry of entries) {
    const name = entryName(entry);
    if (isIndexablePath(name) && budget.take(name)) tree[name] = presentEntry(entry);
    else isTruncated = true;
  }
  return { tree, truncated: isTruncated };
}

/** Counts entries and bytes of a reply; `take` returns false over the limits. */
function createTreeBudget() {
  let entries = 0;
  let bytes = 0;
  return {
    take(name: string, count = 1): boolean {
      if (count === 0) return true;
      entries += count;
      bytes += Buffer.byteLength(JSON.stringify(name)) + count * MAX_ENTRY_OVERHEAD_BYTES;
      return entries <= MAX_TREE_ENTRIES && bytes <= MAX_TREE_BYTES;
    },
  };
}

/**
 * Opens a file for the editor.
 * @throws AppError `not_found`, `too_large` above 1 MiB, `unsupported` for a file that is not text
 */
export async function openFile(
  repo: string,
  { commit, branch }: FileVersion,
  { path, mayEdit }: { path: string; mayEdit: boolean },
  signal?: AbortSignal,
): Promise<FileContent> {
  const entry = await findEntry(repo, commit, path);
  if (entry === null || entry.type === 'tree') throw new AppError('not_found', 'file_not_found');
  if (entry.type === 'commit') {
    throw new AppError('unsupported', 'submodule_not_opened');
  }
  const { text, encoding, size } = await readTextContent(repo, entry.oid, signal);
  return {
    path,
    content: text,
    commit,
    branch,
    size,
    language: detectLanguage(path, text),
    encoding,
    read_only: entry.mode === '120000' ? 'symlink' : mayEdit ? null : 'viewer',
  };
}

/** A text file, with the encoding in which it is saved again. */
interface TextFile {
  text: string;
  encoding: TextEncoding;
  /** Bytes. */
  size: number;
}

/** Reads a text file. Throws `too_large` or `unsupported`. */
export async function readTextContent(repo: string, oid: string, signal?: AbortSignal): Promise<TextFile> {
  const blobs = openBlobReader(repo, { signal });
  try {
    const blob = await blobs.read(oid, MAX_EDITED_BYTES);
    if (blob === null) throw new AppError('not_found', 'file_not_found');
    if ('tooLarge' in blob) {
      throw new AppError('too_large', 'file_too_large_to_open');
    }
    const { content } = blob;
    const encoding = detectEncoding(content);
    if (encoding === null) throw new AppError('unsupported', 'file_binary_not_opened');
    return { text: decodeFileText(content, encoding), encoding, size: content.length };
  } finally {
    blobs.close();
  }
}

function emptyTree(): FileTree {
  return Object.create(null) as FileTree;
}

/** A name that is not UTF-8 is decoded as Latin-1, so that it is listed and counted. */
function entryName({ path, raw }: GitEntry): string {
  return path ?? raw.toString('latin1');
}

function presentEntry({ mode, type, size, path }: GitEntry): TreeEntry {
  if (type === 'tree') return { type: 'directory' };
  const odd =
    type === 'commit' ? 'submodule' : mode === '120000' ? 'symlink' : path === null ? 'encoding' : undefined;
  return { type: 'file', size, ...(odd && { not_editable: odd }) };
}

function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}

function getOrCreateFolder(folders: Map<string, FileTree>, path: string): FileTree {
  const known = folders.get(path);
  if (known) return known;
  const { folder, name } = splitPath(path);
  const children = emptyTree();
  getOrCreateFolder(folders, folder)[name] = { type: 'directory', children };
  folders.set(path, children);
  return children;
}
