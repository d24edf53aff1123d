import { AppError } from '#contract/errors.ts';
import { type ObjectReader, openObjectReader } from './object-reader.ts';
import { MAX_PATH_BYTES } from './paths.ts';
import { assertOid, git, gitStream, isRepositoryPath } from './run.ts';
import { findInTreeObject, listTreeObject, type TreeObjectEntry } from './tree-object.ts';

/** One entry of a commit's tree. */
export interface GitTreeEntry {
  /** As git writes it: `100644`, `100755`, `120000` (link), `160000` (submodule), `040000`. */
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  oid: string;
  /** Bytes; null for trees and submodules. */
  size: number | null;
  /** Null when the name is not UTF-8. */
  path: string | null;
  /** The name's bytes. */
  raw: Buffer;
}

/** Every file, link and submodule of a commit, in git's order. `commit` is a full hash. */
export async function* listTree(
  repo: string,
  commit: string,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<GitTreeEntry, void, undefined> {
  yield* readEntries(repo, commit, ['-r'], signal);
}

/** The first `max` entries of one folder, without what lies below it. `tree` is a commit's or tree's full hash. */
export async function listFolder(
  repo: string,
  tree: string,
  { max, signal }: { max: number; signal?: AbortSignal },
): Promise<{ entries: GitTreeEntry[]; truncated: boolean }> {
  const entries: GitTreeEntry[] = [];
  for await (const entry of readEntries(repo, tree, [], signal)) {
    if (entries.length === max) return { entries, truncated: true };
    entries.push(entry);
  }
  return { entries, truncated: false };
}

/** Bytes of an entry that are kept: lists of paths omit longer ones. */
const MAX_RECORD = 64 * MAX_PATH_BYTES;

async function* readEntries(
  repo: string,
  tree: string,
  more: string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<GitTreeEntry, void, undefined> {
  const args = ['ls-tree', '-z', '-l', '--full-tree', ...more];
  const options = { name: 'ls-tree', revisions: [assertOid(tree)], timeoutMs: 600_000, signal };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of gitStream(repo, args, options)) {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const record = chunk.subarray(start, end);
      yield readEntry(rest.length === 0 ? record : Buffer.concat([rest, record]).subarray(0, MAX_RECORD));
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    if (rest.length < MAX_RECORD) rest = Buffer.concat([rest, chunk.subarray(start)]);
  }
}

/** The entry at a path of a commit, a folder's too; null when there is none. `commit` is a full hash. */
export async function findEntry(repo: string, commit: string, path: string): Promise<GitTreeEntry | null> {
  const [entry = null] = await findEntries(repo, commit, [path]);
  return entry;
}

/** Trees above this size are read by a process of their own, entry by entry. */
const MAX_TREE_BYTES = 4 * 2 ** 20;
const LOOKUP_TIMEOUT_MS = 60_000;

/** The entries at some paths of a commit, in their order; without those that there are none of. `commit` is a full hash. */
export async function findEntries(
  repo: string,
  commit: string,
  paths: readonly string[],
): Promise<GitTreeEntry[]> {
  const possible = [...new Set(paths)].filter(isRepositoryPath);
  if (possible.length === 0) return [];
  const objects = openObjectReader(repo, { signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS) });
  try {
    const trees = createTreeReader(objects);
    const found = await Promise.all(possible.map((path) => followPath(trees, assertOid(commit), path)));
    // What one of them needs git itself for, it finds for all.
    if (found.includes('unread')) return await listEntries(repo, commit, possible);
    return found.flatMap((entry) => (entry === null || entry === 'unread' ? [] : entry));
  } finally {
    objects.close();
  }
}

type TreeReader = ReturnType<typeof createTreeReader>;

/** Reads each tree once, also for paths that are followed at the same time. */
export function createTreeReader(objects: Pick<ObjectReader, 'readTree' | 'stat'>) {
  const trees = new Map<string, ReturnType<ObjectReader['readTree']>>();
  const readTree = (oid: string) => {
    const tree = trees.get(oid) ?? objects.readTree(oid, MAX_TREE_BYTES);
    trees.set(oid, tree);
    return tree;
  };
  return { readTree, stat: objects.stat };
}

/** Follows a path through the trees of a commit; `unread` where one of them is missing or large. */
async function followPath(
  { readTree, stat }: TreeReader,
  commit: string,
  path: string,
): Promise<GitTreeEntry | null | 'unread'> {
  const hashBytes = commit.length / 2;
  let tree = await readTree(commit);
  const names = path.split('/');
  const last = names.pop()!;
  for (const name of names) {
    if (!tree?.content) return 'unread';
    const folder = findInTreeObject(tree.content, name, hashBytes);
    if (folder?.type !== 'tree') return null;
    tree = await readTree(folder.oid);
  }
  if (!tree?.content) return 'unread';
  const entry = findInTreeObject(tree.content, last, hashBytes);
  if (entry === null) return null;
  const size = entry.type === 'blob' ? ((await stat(entry.oid))?.size ?? Number.NaN) : null;
  return { ...entry, size, path, raw: Buffer.from(path) };
}

async function listEntries(repo: string, commit: string, paths: string[]): Promise<GitTreeEntry[]> {
  const { stdout } = await git(repo, ['ls-tree', '-z', '-l', '--full-tree'], {
    name: 'ls-tree',
    revisions: [assertOid(commit)],
    paths,
  });
  const entries: GitTreeEntry[] = [];
  for (let from = 0, to: number; from < stdout.length; from = to + 1) {
    to = stdout.indexOf(0, from);
    entries.push(readEntry(stdout.subarray(from, to)));
  }
  return entries;
}

/** Entries of one folder with the bytes of their names, without the sizes of its blobs. `tree` is a commit's or tree's full hash. */
export async function readFolderEntries(
  repo: string,
  tree: string,
  { maxBytes }: { maxBytes: number },
): Promise<TreeObjectEntry[] | null> {
  const objects = openObjectReader(repo, { signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS) });
  try {
    const found = await objects.readTree(tree, maxBytes);
    if (found === null) throw new AppError('unavailable', 'repository_corrupt', { reason: 'corrupt' });
    return found.content && [...listTreeObject(found.content, tree.length / 2)];
  } finally {
    objects.close();
  }
}

/** Counts the entries of a commit's tree. Throws `too_large` as soon as there are more, or longer ones, than `max` allows. */
export async function countEntries(
  repo: string,
  commit: string,
  { max, signal }: { max: number; signal?: AbortSignal },
): Promise<number> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree'];
  const options = { name: 'ls-tree', revisions: [assertOid(commit)], timeoutMs: 600_000, signal };
  let count = 0;
  let bytes = 0;
  for await (const chunk of gitStream(repo, args, options)) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) {
      count += 1;
    }
    if (count > max) {
      throw new AppError('too_large', 'too_many_files', {
        params: { limit: max.toLocaleString('en') },
        reason: 'too_many_files',
      });
    }
    if (bytes > Math.max(max, MIN_COUNTED) * MAX_PATH_BYTES) {
      throw new AppError('too_large', 'repository_paths_too_long', { reason: 'paths_too_long' });
    }
  }
  return count;
}

/** Total bytes of the paths of a tree that is read within a request: half a million paths of 134. */
const MAX_READABLE_PATHS = 64 * 2 ** 20;

/**
 * Throws `too_large` when the paths of a commit's tree are too long together to be compared or listed in a second or two. git
 * compares whole trees before it prints anything; listing one costs little and can be ended.
 */
export async function requireReadableTree(repo: string, commit: string, signal?: AbortSignal): Promise<void> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree'];
  let bytes = 0;
  for await (const chunk of gitStream(repo, args, {
    name: 'ls-tree',
    revisions: [assertOid(commit)],
    signal,
  })) {
    bytes += chunk.length;
    if (bytes <= MAX_READABLE_PATHS) continue;
    throw new AppError('too_large', 'commit_paths_too_long', { reason: 'paths_too_long' });
  }
}

/** Paths of so few files may be longer: their sum is small. */
const MIN_COUNTED = 100_000;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `<mode> SP <type> SP <oid> SP <size, padded, or -> TAB <path>` */
function readEntry(record: Buffer): GitTreeEntry {
  const tab = record.indexOf(9);
  const [mode = '', type = '', oid = '', size = '-'] = record.toString('latin1', 0, tab).split(/ +/);
  // A copy: a slice would keep the whole chunk alive.
  const raw = Buffer.from(record.subarray(tab + 1));
  let path: string | null;
  try {
    path = UTF8.decode(raw);
  } catch {
    path = null;
  }
  return {
    mode,
    type: type as GitTreeEntry['type'],
    oid,
    size: size === '-' ? null : Number(size),
    path,
    raw,
  };
}
