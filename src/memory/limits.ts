import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What an index may take. */
export interface IndexLimits {
  /** Larger files are left out. */
  maxFileBytes: number;
  /** Files of one tree. */
  maxEntries: number;
  /** Megabytes of each of the two parts of an index, history and code; `DEFAULT_INDEX_MB` when absent. */
  maxIndexMb?: number;
  /** Milliseconds that git may compare the trees of one commit; that of `log` when absent. */
  renameMs?: number;
}

export const DEFAULT_INDEX_MB = 3072;

/** Characters of all paths of a revision that are indexed: 500,000 paths of 268. */
export const MAX_TREE_PATH_CHARS = 128 * 2 ** 20;
const MEBIBYTE = 2 ** 20;

/**
 * A repository may have an index of so many bytes whatever its size, and of so many times its own size beyond: a few
 * kilobytes of git objects can stand for gigabytes of paths, and an honest repository stays far below.
 */
const BASE_INDEX_BYTES = 256 * MEBIBYTE;
const INDEX_BYTES_PER_REPO_BYTE = 4;
/** Bytes that are read from git for each byte of index at most: what is skipped costs time too. */
const INPUT_BYTES_PER_INDEX_BYTE = 4;

/** Bytes of patches that are read. Those of Linux are some eight times as large as its packs. */
const BASE_PATCH_BYTES = 2 ** 30;
const PATCH_BYTES_PER_REPO_BYTE = 32;

/** Bytes that building one part of an index may hold and write, and read from git. */
export interface BuildBudget {
  indexBytes: number;
  inputBytes: number;
}

/** The budget for one part of the index of a repository. */
export async function getBuildBudget(
  repo: string,
  limits: Pick<IndexLimits, 'maxIndexMb'>,
): Promise<BuildBudget> {
  const most = (limits.maxIndexMb ?? DEFAULT_INDEX_MB) * MEBIBYTE;
  const bySize = BASE_INDEX_BYTES + INDEX_BYTES_PER_REPO_BYTE * (await packBytes(repo));
  return budgetForIndexBytes(Math.min(most, bySize));
}

/** The budget of a build that may make so many bytes of index. */
export function budgetForIndexBytes(indexBytes: number): BuildBudget {
  return { indexBytes, inputBytes: indexBytes * INPUT_BYTES_PER_INDEX_BYTE };
}

/** The budget for the changes of a whole history: patches are larger than what is indexed of them, and kept packed. */
export async function getPatchBudget(repo: string): Promise<BuildBudget> {
  const packs = await packBytes(repo);
  return {
    indexBytes: BASE_INDEX_BYTES + INDEX_BYTES_PER_REPO_BYTE * packs,
    inputBytes: BASE_PATCH_BYTES + PATCH_BYTES_PER_REPO_BYTE * packs,
  };
}

/** Repositories are repacked after each transfer, so that loose objects are few. */
async function packBytes(repo: string): Promise<number> {
  const folder = join(repo, 'objects', 'pack');
  let bytes = 0;
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (name.endsWith('.pack')) bytes += (await stat(join(folder, name))).size;
  }
  return bytes;
}
