import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Limits of an index. */
export interface IndexLimits {
  /** Larger files are skipped. */
  maxFileBytes: number;
  /** Files of one tree. */
  maxEntries: number;
  /** Megabytes of each of the two parts of an index, history and code; `DEFAULT_INDEX_MB` when absent. */
  maxIndexMb?: number;
  /** Milliseconds that git may compare the trees of one commit; the default of `log` when absent. */
  renameMs?: number;
  /** Patterns of paths that the project's settings exclude; none when absent. */
  excludedPaths?: readonly string[];
}

export const DEFAULT_INDEX_MB = 3072;

/** Characters of all paths of a revision that are indexed: 500,000 paths of 268. */
export const MAX_TREE_PATH_CHARS = 128 * 2 ** 20;
const MEBIBYTE = 2 ** 20;

/**
 * Base size of an index, and its size in proportion to the repository: a few kilobytes of git objects can expand to
 * gigabytes of paths, and an honest repository stays far below.
 */
export const BASE_INDEX_BYTES = 256 * MEBIBYTE;
const INDEX_BYTES_PER_REPO_BYTE = 4;
/** Bytes that are read from git per byte of index: skipped files cost time too. */
const INPUT_BYTES_PER_INDEX_BYTE = 4;

/** Bytes of patches that are read. The patches of Linux are some eight times as large as its packs. */
const BASE_PATCH_BYTES = 2 ** 30;
const PATCH_BYTES_PER_REPO_BYTE = 32;

/** Bytes that building one part of an index may allocate and write, and read from git. */
export interface BuildBudget {
  indexBytes: number;
  inputBytes: number;
}

/** Computes the budget for one part of a repository's index. */
export async function getBuildBudget(
  repo: string,
  limits: Pick<IndexLimits, 'maxIndexMb'>,
): Promise<BuildBudget> {
  const configured = (limits.maxIndexMb ?? DEFAULT_INDEX_MB) * MEBIBYTE;
  const bySize = BASE_INDEX_BYTES + INDEX_BYTES_PER_REPO_BYTE * (await packBytes(repo));
  return budgetForIndexBytes(Math.min(configured, bySize));
}

/** Budget of a build of at most `indexBytes`. */
export function budgetForIndexBytes(indexBytes: number): BuildBudget {
  return { indexBytes, inputBytes: indexBytes * INPUT_BYTES_PER_INDEX_BYTE };
}

/** Computes the budget for the changes of a history: patches exceed their index, and are stored compressed. */
export async function getPatchBudget(repo: string): Promise<BuildBudget> {
  const packs = await packBytes(repo);
  return {
    indexBytes: BASE_INDEX_BYTES + INDEX_BYTES_PER_REPO_BYTE * packs,
    inputBytes: BASE_PATCH_BYTES + PATCH_BYTES_PER_REPO_BYTE * packs,
  };
}

/** Sums the sizes of pack files. Repositories are repacked after each transfer, so loose objects are few. */
async function packBytes(repo: string): Promise<number> {
  const folder = join(repo, 'objects', 'pack');
  let bytes = 0;
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (name.endsWith('.pack')) bytes += (await stat(join(folder, name))).size;
  }
  return bytes;
}
