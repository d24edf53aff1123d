import { AppError } from '#contract/errors.ts';
import { hashObject, type NewObject, writeObjects } from './object-writer.ts';
import { removeRefLock } from './ref-locks.ts';
import { assertOid, git } from './run.ts';
import { readFolderEntries } from './tree.ts';
import { formatTreeObject, type TreeObjectEntry } from './tree-object.ts';

/** A change of one entry: new content, the blob of another file, the tree of another folder, or a deletion. */
export interface FileChange {
  path: string;
  /** `content` is written with the commit, where the repository may not have it. Null deletes, a folder with all below it. */
  blob: { oid: string; mode: string; content?: Buffer } | null;
}

/** A commit that has been checked and not been written. */
interface CommitPlan {
  parent: string;
  root: FolderPlan;
  /** Blobs to be written. */
  contents: Buffer[];
  /** Upper bound of what its objects take. */
  bytes: number;
}

/** Author of a commit. Neither name nor email may contain control characters or angle brackets. */
export interface Signature {
  name: string;
  email: string;
  /** Seconds since 1970. */
  time: number;
}

/** The hash that content would have, with no filters, in the format of another hash of the repository. Writes nothing. */
export function hashBlob(content: Buffer, like: string): string {
  return hashObject({ type: 'blob', content }, like);
}

/** A commit object with a long message, and what git adds to an object. */
const COMMIT_BYTES = 4096;

/**
 * Prepares a commit on `parent` (a full hash) and writes nothing, so that one that is refused leaves nothing. Only the
 * folders on the way to a change are read, whatever the size of the tree. Paths must have passed `checkWritablePath`.
 * Throws `bad_request` when a folder of a path is a file, a link or a submodule, `too_large` for a huge folder.
 */
export async function planCommit(
  repo: string,
  { parent, changes }: { parent: string; changes: FileChange[] },
): Promise<CommitPlan> {
  const steps = changes.map(({ path, blob }) => ({ path: path.split('/'), blob }));
  const root = await planFolder(repo, assertOid(parent), steps);
  const contents = changes.flatMap(({ blob }) => blob?.content ?? []);
  const blobs = contents.reduce((sum, content) => sum + content.length, 0);
  return { parent, root, contents, bytes: COMMIT_BYTES + blobs + root.bytes };
}

/** Writes a prepared commit with all its objects and returns its hash; no branch moves. */
export async function writeCommit(
  repo: string,
  plan: CommitPlan,
  { message, by }: { message: string; by: Signature },
): Promise<string> {
  const { parent } = plan;
  const { objects, tree } = buildTree(plan);
  const content = formatCommit({ tree, parent, message, by });
  objects.push({ type: 'commit', content });
  await writeObjects(repo, objects, parent);
  return hashObject({ type: 'commit', content }, parent);
}

/** Writes the objects of a prepared commit without the commit itself, and returns the hash of its tree. */
export async function writeTree(repo: string, plan: CommitPlan): Promise<string> {
  const { objects, tree } = buildTree(plan);
  await writeObjects(repo, objects, plan.parent);
  return tree;
}

/** A commit as git stores it. Throws `bad_request` for a message that git would refuse. */
function formatCommit(commit: { tree: string; parent: string; message: string; by: Signature }): Buffer {
  const { tree, parent, message, by } = commit;
  if (message.includes('\0'))
    throw new AppError('bad_request', 'bad_git_argument', { reason: 'invalid_argument' });
  const person = `${by.name} <${by.email}> ${formatDate(by)}`;
  const header = [`tree ${tree}`, `parent ${parent}`, `author ${person}`, `committer ${person}`];
  return Buffer.from(`${header.join('\n')}\n\n${message}`);
}

/** Writes a commit and returns its hash; no branch moves. */
export async function commitTree(
  repo: string,
  commit: { tree: string; parents: string[]; message: string; author: Signature; committer: Signature },
): Promise<string> {
  const { author, committer } = commit;
  const parents = commit.parents.flatMap((parent) => ['-p', assertOid(parent)]);
  return await runForOid(
    repo,
    ['commit-tree', assertOid(commit.tree), ...parents, '-F', '-'],
    Buffer.from(commit.message),
    {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: formatDate(author),
      GIT_COMMITTER_NAME: committer.name,
      GIT_COMMITTER_EMAIL: committer.email,
      GIT_COMMITTER_DATE: formatDate(committer),
    },
  );
}

function formatDate({ time }: Signature): string {
  return `${Math.floor(time)} +0000`;
}

/**
 * Moves a branch from one commit to another, or makes it where `from` is null. False when it no longer stands at
 * `from`: git itself compares and swaps. `branch` is a name that `isRefName` accepts, without `refs/heads/`.
 * The caller holds the branch's lock in the database: a lock file is then one that a killed process has left behind.
 */
export async function updateBranch(
  repo: string,
  { branch, from, to }: { branch: string; from: string | null; to: string },
): Promise<boolean> {
  await removeRefLock(repo, `refs/heads/${branch}`);
  const old = from === null ? '0'.repeat(to.length) : assertOid(from);
  const { exitCode } = await git(repo, ['update-ref', '--create-reflog'], {
    name: 'update-ref',
    revisions: [`refs/heads/${branch}`, assertOid(to), old],
    // 128: the branch has moved.
    ok: [0, 128],
  });
  return exitCode === 0;
}

interface FolderChange {
  path: string[];
  blob: FileChange['blob'];
}

interface FolderPlan {
  /** By name as latin1: names may be any bytes. */
  entries: Map<string, Pick<TreeObjectEntry, 'mode' | 'oid' | 'raw'>>;
  /** Folders to be written first, whose hashes are then entries of this one. */
  folders: { name: Buffer; plan: FolderPlan }[];
  bytes: number;
}

/** Reads a folder and those below it that change. */
async function planFolder(repo: string, tree: string | null, steps: FolderChange[]): Promise<FolderPlan> {
  const present = tree === null ? [] : await readFolder(repo, tree);
  const entries: FolderPlan['entries'] = new Map(
    present.map((entry) => [entry.raw.toString('latin1'), entry]),
  );
  const folders: FolderPlan['folders'] = [];
  for (const [text, inside] of Map.groupBy(steps, ({ path }) => path[0]!)) {
    const raw = Buffer.from(text);
    const key = raw.toString('latin1');
    const deeper = inside.filter(({ path }) => path.length > 1);
    const { blob } = inside.at(-1)!;
    if (deeper.length > 0) {
      const below = deeper.map(({ path, blob }) => ({ path: path.slice(1), blob }));
      const before = folderOid(present.find((entry) => entry.raw.equals(raw)));
      folders.push({ name: raw, plan: await planFolder(repo, before, below) });
    } else if (blob === null) entries.delete(key);
    else entries.set(key, { mode: blob.mode, oid: assertOid(blob.oid), raw });
  }
  const own = entries
    .values()
    .reduce((sum, { raw, mode, oid }) => sum + raw.length + mode.length + oid.length / 2 + 2, 0);
  const below = folders.reduce(
    (sum, { name, plan }) => sum + name.length + MAX_ENTRY_HEAD_LENGTH + plan.bytes,
    0,
  );
  return { entries, folders, bytes: own + below };
}

const FOLDER_MODE = '040000';
/** `040000 tree ` and a hash of SHA-256, with what ends the entry. */
const MAX_ENTRY_HEAD_LENGTH = 80;

/** The objects of a prepared commit, and the hash of its tree. */
function buildTree({ root, contents, parent }: CommitPlan): { objects: NewObject[]; tree: string } {
  const objects = contents.map((content): NewObject => ({ type: 'blob', content }));
  const add = (content: Buffer) => {
    const object: NewObject = { type: 'tree', content };
    objects.push(object);
    return hashObject(object, parent);
  };
  return { tree: buildFolder(root, add) ?? add(Buffer.alloc(0)), objects };
}

/** Adds the tree of a folder after those in it and returns its hash, or null when nothing is left in it. */
function buildFolder({ entries, folders }: FolderPlan, add: (content: Buffer) => string): string | null {
  const all = new Map(entries);
  for (const { name, plan } of folders) {
    const oid = buildFolder(plan, add);
    if (oid === null) all.delete(name.toString('latin1'));
    else all.set(name.toString('latin1'), { mode: FOLDER_MODE, oid, raw: name });
  }
  return all.size === 0 ? null : add(formatTreeObject([...all.values()]));
}

const MAX_FOLDER_ENTRIES = 100_000;
const MAX_FOLDER_BYTES = 16 * 2 ** 20;
const MAX_NAME_BYTES = 32_768;

async function readFolder(repo: string, tree: string): Promise<TreeObjectEntry[]> {
  const entries = await readFolderEntries(repo, tree, { maxBytes: MAX_FOLDER_BYTES });
  const isTooLarge =
    entries === null ||
    entries.length > MAX_FOLDER_ENTRIES ||
    entries.some(({ raw }) => raw.length > MAX_NAME_BYTES);
  if (isTooLarge) {
    throw new AppError('too_large', 'folder_too_large', {
      reason: 'folder_too_large',
    });
  }
  return entries;
}

/** The tree that a folder has now, or null for a new one. */
function folderOid(entry: TreeObjectEntry | undefined): string | null {
  if (entry === undefined || entry.type === 'tree') return entry?.oid ?? null;
  throw new AppError('bad_request', 'path_through_file', {
    reason: 'not_a_folder',
  });
}

async function runForOid(
  repo: string,
  args: string[],
  input: Buffer,
  env: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await git(repo, args, { name: args[0]!, input, env });
  return assertOid(stdout.toString().trim());
}
