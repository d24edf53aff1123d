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

/** A repository of this machine, read and remembered. */
export interface LocalRepository {
  /** Absolute path of the folder that git keeps its data in. */
  repo: string;
  memory: RepositoryIndex;
  /** Where the changes of the history lie, once `readChanges` has read them. */
  hunks: string;
}

interface Where {
  /** A folder inside the repository. */
  folder: string;
  /** The folder of all caches. */
  cache: string;
  /** Tells what is done and may take a while. */
  onProgress(words: string): void;
  signal: AbortSignal;
}

const LIMITS = { maxFileBytes: 2 ** 20, maxEntries: 500_000 };
/** Names the generation that serves and its commit; without a database it is the only place that says so. */
const CURRENT = 'CURRENT';

/**
 * Opens the memory of a repository at its HEAD. What is missing is read first, into a cache folder of its own, which may be
 * deleted at any time. Throws AppError when there is no repository or it has no commit.
 */
export async function openLocal({ folder, cache, onProgress, signal }: Where): Promise<LocalRepository> {
  const repo = findGitFolder(folder);
  const revision = await resolveCommit(repo, 'HEAD');
  if (revision === null)
    throw new AppError('bad_request', 'repository_without_commits', { params: { folder } });
  const own = join(cache, createHash('sha256').update(repo).digest('hex').slice(0, 24));
  const directory = join(own, 'shard');
  const hunks = join(own, 'hunks');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = await openCurrent(directory);
  if (known?.revision === revision) return { repo, memory: known, hunks };
  const release = lockFolder(own);
  try {
    onProgress(known ? 'Reading what is new …' : 'Reading the repository for the first time …');
    const previous = known?.generation ?? null;
    const options = { repo, revision, directory, previous, limits: LIMITS, signal };
    await buildIndex({
      ...options,
      onProgress: () => {},
      onGeneration: async ({ name, phase }) => {
        if (phase === 'passages') await setCurrent(directory, name);
      },
    });
  } finally {
    release();
  }
  const memory = await openCurrent(directory);
  if (!memory) throw new AppError('index_rebuilding', 'local_index_damaged', { params: { folder: own } });
  return { repo, memory, hunks };
}

/** Reads the changes of the whole history, as far as they are missing: only `search_changes` needs them. */
export async function readChanges(
  { repo, memory, hunks }: LocalRepository,
  signal: AbortSignal,
): Promise<void> {
  const listener = { onProgress: () => {}, signal };
  await buildChangeIndex({ repo, revision: memory.revision, directory: hunks }, listener);
}

/** The folder that git keeps its data in: `.git`, what a `.git` file points to, or a bare repository. */
export function findGitFolder(folder: string): string {
  const start = resolve(folder);
  for (let at = start; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    if (existsSync(dotGit))
      return realpathSync(statSync(dotGit).isDirectory() ? dotGit : followFile(dotGit, at));
    if (existsSync(join(at, 'HEAD')) && existsSync(join(at, 'objects'))) return realpathSync(at);
    if (dirname(at) === at) break;
  }
  throw new AppError('bad_request', 'not_a_git_repository', { params: { folder: start } });
}

/** A work tree added by `git worktree` has a file that names its folder. */
function followFile(file: string, at: string): string {
  const [, path] = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (!path) throw new AppError('bad_request', 'git_file_invalid', { params: { file } });
  return resolve(at, path.trim());
}

/** Null where nothing has been read, or it was read by another version. */
async function openCurrent(directory: string): Promise<RepositoryIndex | null> {
  try {
    const generation = (await readFile(join(directory, CURRENT), 'utf8')).trim();
    return openIndex(await readGeneration(directory, generation));
  } catch {
    return null;
  }
}

async function setCurrent(directory: string, generation: string): Promise<void> {
  const next = join(directory, `${CURRENT}.next`);
  await writeFile(next, `${generation}\n`);
  await rename(next, join(directory, CURRENT));
}
