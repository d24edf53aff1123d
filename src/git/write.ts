import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { assertOid, git } from './run.ts';
import { listFolder, type TreeEntry } from './tree.ts';

/** What a commit does to one file: new content, another file's blob, or nothing left. */
export interface FileChange {
  path: string;
  /** Null deletes. */
  blob: { oid: string; mode: string } | null;
}

/** Who a commit is by. Neither may hold control characters or angle brackets. */
export interface Signature {
  name: string;
  email: string;
  /** Seconds since 1970. */
  time: number;
}

/** Stores content as it is, with no filters, and returns its hash. */
export async function writeBlob(repo: string, content: Buffer): Promise<string> {
  return await written(repo, ['hash-object', '-w', '--stdin'], content);
}

/**
 * Writes a commit on `parent` (a full hash) and returns its hash; no branch moves. Only the folders on the way to
 * a change are read and written, whatever the size of the tree. Paths must have passed `checkWritablePath`.
 * Throws `bad_request` when a folder of a path is a file, a link or a submodule.
 */
export async function writeCommit(
  repo: string,
  commit: { parent: string; changes: FileChange[]; message: string; by: Signature },
): Promise<string> {
  const { parent, changes, message, by } = commit;
  const steps = changes.map(({ path, blob }) => ({ path: path.split('/'), blob }));
  const tree = await writeFolder(repo, assertOid(parent), steps);
  const date = `${Math.floor(by.time)} +0000`;
  return await written(
    repo,
    ['commit-tree', tree ?? (await emptyTree(repo)), '-p', parent, '-F', '-'],
    Buffer.from(message),
    {
      GIT_AUTHOR_NAME: by.name,
      GIT_AUTHOR_EMAIL: by.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: by.name,
      GIT_COMMITTER_EMAIL: by.email,
      GIT_COMMITTER_DATE: date,
    },
  );
}

/**
 * Moves a branch from one commit to another, or makes it where `from` is null. False when it no longer stands at
 * `from`: git itself compares and swaps. `branch` is a name that `isRefName` accepts, without `refs/heads/`.
 * The caller holds the branch's lock in the database: a lock file is then one that a killed process has left behind.
 */
export async function moveBranch(
  repo: string,
  { branch, from, to }: { branch: string; from: string | null; to: string },
): Promise<boolean> {
  await rm(join(repo, 'refs', 'heads', `${branch}.lock`), { force: true });
  const old = from === null ? '0'.repeat(to.length) : assertOid(from);
  const { exitCode } = await git(repo, ['update-ref', '--create-reflog'], {
    name: 'update-ref',
    revisions: [`refs/heads/${branch}`, assertOid(to), old],
    // 128: it stands elsewhere.
    ok: [0, 128],
  });
  return exitCode === 0;
}

interface Step {
  path: string[];
  blob: FileChange['blob'];
}

/** One entry of a folder in the form that `mktree -z` reads; names may be any bytes. */
interface Line {
  name: Buffer;
  head: string;
}

/** Writes a folder with the changes below it and returns its hash, or null when nothing is left in it. */
async function writeFolder(repo: string, tree: string | null, steps: Step[]): Promise<string | null> {
  const entries = tree === null ? [] : await listFolder(repo, tree);
  const lines = new Map<string, Line>();
  for (const { raw, mode, type, oid } of entries) {
    lines.set(raw.toString('latin1'), { name: raw, head: `${mode} ${type} ${oid}` });
  }
  const folders = Map.groupBy(steps, ({ path }) => path[0]!);
  for (const [name, inside] of folders) {
    const bytes = Buffer.from(name);
    const key = bytes.toString('latin1');
    const head = await entryHead(
      repo,
      entries.find(({ raw }) => raw.equals(bytes)),
      inside,
    );
    if (head === null) lines.delete(key);
    else lines.set(key, { name: bytes, head });
  }
  if (lines.size === 0) return null;
  const input = [...lines.values()].flatMap(({ name, head }) => [
    Buffer.from(`${head}\t`),
    name,
    Buffer.from('\0'),
  ]);
  return await written(repo, ['mktree', '-z'], Buffer.concat(input));
}

async function entryHead(repo: string, before: TreeEntry | undefined, steps: Step[]): Promise<string | null> {
  const deeper = steps.filter(({ path }) => path.length > 1);
  if (deeper.length === 0) {
    const { blob } = steps.at(-1)!;
    return blob && `${blob.mode} blob ${assertOid(blob.oid)}`;
  }
  if (before && before.type !== 'tree') {
    throw new AppError('bad_request', 'A part of this path is a file and not a folder.', {
      reason: 'no_folder',
    });
  }
  const below = deeper.map(({ path, blob }) => ({ path: path.slice(1), blob }));
  const oid = await writeFolder(repo, before?.oid ?? null, below);
  return oid && `040000 tree ${oid}`;
}

async function emptyTree(repo: string): Promise<string> {
  return await written(repo, ['mktree', '-z'], Buffer.alloc(0));
}

async function written(
  repo: string,
  args: string[],
  input: Buffer,
  env: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await git(repo, args, { name: args[0]!, input, env });
  return assertOid(stdout.toString().trim());
}
