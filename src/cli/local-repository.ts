import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { lockFolder } from '#db/folder-lock.ts';
import { resolveCommit } from '#git/refs.ts';
import { buildChangeIndex } from '#memory/changes/build-change-index.ts';
import { buildIndex } from '#memory/index/build-index.ts';
import { openIndex, readGeneration } from '#memory/index/generation-reader.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** A local repository with its index. */
export interface LocalRepository {
  /** Absolute path of the git directory. */
  repo: string;
  index: RepositoryIndex;
  /** Folder of the change index, after `indexLocalChanges`. */
  hunks: string;
}

interface OpenLocalOptions {
  /** A folder inside the repository. */
  folder: string;
  /** Folder of all caches. */
  cache: string;
  /** Receives progress messages. */
  onProgress(words: string): void;
  signal: AbortSignal;
}

const LIMITS = { maxFileBytes: 2 ** 20, maxEntries: 500_000 };
/** File with the current generation and its commit, in place of the database. */
const CURRENT_FILE = 'CURRENT';

/**
 * Opens the index of a repository at its HEAD, and indexes what is missing into a cache folder that may be deleted at any
 * time. Throws AppError without a repository or without a commit.
 */
export async function openLocalRepository({
  folder,
  cache,
  onProgress,
  signal,
}: OpenLocalOptions): Promise<LocalRepository> {
  const repo = findGitFolder(folder);
  const revision = await resolveCommit(repo, 'HEAD');
  if (revision === null)
    throw new AppError('bad_request', 'repository_without_commits', { params: { folder } });
  const own = join(cache, createHash('sha256').update(repo).digest('hex').slice(0, 24));
  const directory = join(own, 'shard');
  const hunks = join(own, 'hunks');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = await openCurrentIndex(directory);
  if (known?.revision === revision) return { repo, index: known, hunks };
  const release = lockFolder(own);
  try {
    onProgress(known ? 'Indexing new commits …' : 'Indexing the repository …');
    const previous = known?.generation ?? null;
    const options = { repo, revision, directory, previous, limits: LIMITS, signal };
    await buildIndex({
      ...options,
      onProgress: () => {},
      onGeneration: async ({ name, phase }) => {
        if (phase === 'passages') await writeCurrent(directory, name);
      },
    });
  } finally {
    release();
  }
  const index = await openCurrentIndex(directory);
  if (!index) throw new AppError('index_rebuilding', 'local_index_damaged', { params: { folder: own } });
  return { repo, index, hunks };
}

/** Indexes missing changes of the whole history, which only `search_changes` needs. */
export async function indexLocalChanges(
  { repo, index, hunks }: LocalRepository,
  signal: AbortSignal,
): Promise<void> {
  const listener = { onProgress: () => {}, signal };
  await buildChangeIndex({ repo, revision: index.revision, directory: hunks }, listener);
}

/** The git directory of a folder; null outside of a repository. */
export function findCheckout(folder: string): string | null {
  try {
    return findGitFolder(folder);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The root of the work tree of a folder, without symbolic links. Throws `bad_request` outside of a repository. */
export function findWorkTree(folder: string): string {
  findGitFolder(folder);
  let at = realpathSync(resolve(folder));
  while (!existsSync(join(at, '.git')) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Finds the git directory: `.git`, the target of a `.git` file, or a bare repository. */
function findGitFolder(folder: string): string {
  const start = resolve(folder);
  for (let at = start; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    if (existsSync(dotGit))
      return realpathSync(statSync(dotGit).isDirectory() ? dotGit : resolveGitFile(dotGit, at));
    if (existsSync(join(at, 'HEAD')) && existsSync(join(at, 'objects'))) return realpathSync(at);
    if (dirname(at) === at) break;
  }
  throw new AppError('bad_request', 'not_a_git_repository', { params: { folder: start } });
}

/** Resolves the `.git` file of a work tree that `git worktree` added. */
function resolveGitFile(file: string, at: string): string {
  const [, path] = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (!path) throw new AppError('bad_request', 'git_file_invalid', { params: { file } });
  return resolve(at, path.trim());
}

/** Opens the current generation; null without one, or for one of another version. */
async function openCurrentIndex(directory: string): Promise<RepositoryIndex | null> {
  try {
    const generation = (await readFile(join(directory, CURRENT_FILE), 'utf8')).trim();
    return openIndex(await readGeneration(directory, generation));
  } catch {
    return null;
  }
}

async function writeCurrent(directory: string, generation: string): Promise<void> {
  const next = join(directory, `${CURRENT_FILE}.next`);
  await writeFile(next, `${generation}\n`);
  await rename(next, join(directory, CURRENT_FILE));
}
