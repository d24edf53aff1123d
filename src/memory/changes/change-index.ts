import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { AppError } from '#contract/errors.ts';
import { PageCache } from '../bytes/section-file.ts';
import { Block } from './block.ts';
import { addSkipCounts, type FileHunks, type SkipCounts } from './hunk.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** Bytes of pages that are cached per project. */
const PAGE_CACHE_BYTES = 16 * 2 ** 20;
/** Projects that a thread keeps open; a search goes over many. */
const MAX_OPEN = 16;

/** The changes of a project's history, as far as they are indexed: blocks on disk, of which little is in memory. */
export interface ChangeIndex {
  readonly blocks: readonly Block[];
  /** Number of hunks in all blocks. */
  readonly count: number;
  /** Number of indexed commits, without merges. */
  readonly commits: number;
  /** Number of commits once the index is complete. */
  readonly total: number;
  /** Changes that are indexed in part or not at all, by reason. */
  readonly skipCounts: SkipCounts;
  readonly bytes: number;
  /** The patch of a commit as git shows it, without what was skipped; null when it is not indexed. */
  patch(oid: string): Buffer | null;
  /** Hunks of a commit in a file, by its new name, without unpacking the patch; null when the commit is not indexed. */
  hunksOf(oid: string, path: string): FileHunks | null;
}

interface OpenChangeIndex extends ChangeIndex {
  readonly key: string;
  close(): void;
}

/** By directory. Files stay open, so that blocks that have been merged remain readable. */
const cache = new LRUCache<string, OpenChangeIndex>({ max: MAX_OPEN, dispose: (entry) => entry.close() });

/**
 * Opens the change index of a directory, cached per thread until its manifest changes. Null before the first block is
 * written. Throws `index_rebuilding` when a block can't be used.
 */
export function openChangeIndex(directory: string): ChangeIndex | null {
  const manifest = readManifest(directory);
  const key = JSON.stringify(manifest);
  const cached = cache.get(directory);
  if (cached?.key === key) return cached;
  cache.delete(directory);
  if (manifest === null || manifest.blocks.length === 0) return null;
  const index = open(directory, manifest, key);
  cache.set(directory, index);
  return index;
}

/** Opens the change index of a directory; null when none can be used, for callers that fall back to git. */
export function openChangeIndexIfUsable(directory: string | null | undefined): ChangeIndex | null {
  try {
    return directory ? openChangeIndex(directory) : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return null;
    throw error;
  }
}

/** Closes the files of directories that have been deleted. */
export function closeRemovedChangeIndexes(): void {
  for (const directory of [...cache.keys()]) if (!existsSync(directory)) closeChangeIndex(directory);
}

/** Closes the files of a directory in this thread. */
export function closeChangeIndex(directory: string): void {
  cache.delete(directory);
}

function open(directory: string, manifest: Manifest, key: string): OpenChangeIndex {
  const pages = new PageCache(PAGE_CACHE_BYTES);
  const blocks: Block[] = [];
  const close = () => {
    for (const block of blocks) block.close();
  };
  try {
    for (const { name } of manifest.blocks) blocks.push(new Block(join(directory, name), name, pages));
  } catch (error) {
    close();
    throw error;
  }
  const sum = (field: 'count' | 'commitCount' | 'bytes') =>
    blocks.reduce((total, block) => total + block[field], 0);
  const skipCounts: SkipCounts = {};
  for (const block of blocks) addSkipCounts(skipCounts, block.skipCounts);
  const commits = sum('commitCount');
  const total = manifest.goal?.commits ?? commits;
  const find = (oid: string) => {
    for (const block of blocks) {
      const commit = block.find(oid);
      if (commit >= 0) return { block, commit };
    }
    return null;
  };
  const patch = (oid: string) => {
    const found = find(oid);
    return found?.block.patches.patch(found.commit) ?? null;
  };
  const hunksOf = (oid: string, path: string) => {
    const found = find(oid);
    return found?.block.hunksOf(found.commit, path) ?? null;
  };
  return {
    key,
    blocks,
    count: sum('count'),
    commits,
    total,
    skipCounts,
    bytes: sum('bytes'),
    patch,
    hunksOf,
    close,
  };
}
