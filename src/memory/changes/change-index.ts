import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { PageCache } from '../bytes/paged-file.ts';
import { Block } from './block.ts';
import { addSkipCounts, type SkipCounts } from './hunk.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** Pages that one opened project keeps in memory, in bytes. */
const PAGE_CACHE_BYTES = 16 * 2 ** 20;
/** Projects that a thread keeps open. */
const MAX_OPEN = 8;

/** The hunks of a project's history, as far as they are read: blocks on disk, of which little is kept in memory. */
export interface ChangeIndex {
  readonly blocks: readonly Block[];
  /** Hunks of all blocks. */
  readonly count: number;
  /** Commits that were read; merges are not among them. */
  readonly commits: number;
  /** Commits that will have been read when all is there. */
  readonly total: number;
  /** Changes that were left out or read in part, by reason. */
  readonly skipCounts: SkipCounts;
  readonly bytes: number;
  /** The patch of a commit as git shows it, but for what was left out; null when it was not read. */
  patch(oid: string): Buffer | null;
}

interface OpenChangeIndex extends ChangeIndex {
  readonly key: string;
  close(): void;
}

/** By folder, in the order of their last use. Files stay open, so that merged blocks serve whoever has them. */
const opened = new Map<string, OpenChangeIndex>();

/**
 * The hunks of a folder as its manifest names them now, opened once in a thread and used again until the manifest
 * changes. Null before the first block is there. Throws `index_rebuilding` when a block can't be used.
 */
export function openChangeIndex(directory: string): ChangeIndex | null {
  const known = opened.get(directory);
  const manifest = readManifest(directory);
  const key = JSON.stringify(manifest);
  opened.delete(directory);
  if (known && known.key === key) {
    opened.set(directory, known);
    return known;
  }
  known?.close();
  if (manifest === null || manifest.blocks.length === 0) return null;
  const hunks = open(directory, manifest, key);
  opened.set(directory, hunks);
  if (opened.size > MAX_OPEN) closeChangeIndex(opened.keys().next().value!);
  return hunks;
}

/** The hunks of a folder, or null where there are none that can be used: whoever can ask git instead does. */
export function openChangeIndexIfUsable(directory: string | null | undefined): ChangeIndex | null {
  try {
    return directory ? openChangeIndex(directory) : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return null;
    throw error;
  }
}

/** Closes the files of folders that have been deleted. */
export function closeRemovedChangeIndexes(): void {
  for (const directory of opened.keys()) if (!existsSync(directory)) closeChangeIndex(directory);
}

/** Closes the files of a folder in this thread. */
export function closeChangeIndex(directory: string): void {
  opened.get(directory)?.close();
  opened.delete(directory);
}

function open(directory: string, manifest: Manifest, key: string): OpenChangeIndex {
  const cache = new PageCache(PAGE_CACHE_BYTES);
  const blocks: Block[] = [];
  const close = () => {
    for (const block of blocks) block.close();
  };
  try {
    for (const { name } of manifest.blocks) blocks.push(new Block(join(directory, name), name, cache));
  } catch (error) {
    close();
    throw error;
  }
  const sum = (field: 'count' | 'commitCount' | 'bytes') =>
    blocks.reduce((total, block) => total + block[field], 0);
  const left: SkipCounts = {};
  for (const block of blocks) addSkipCounts(left, block.skipCounts);
  const commits = sum('commitCount');
  const total = manifest.goal?.commits ?? commits;
  const patch = (oid: string) => {
    for (const block of blocks) {
      const commit = block.find(oid);
      if (commit >= 0) return block.patches.patch(commit);
    }
    return null;
  };
  return {
    key,
    blocks,
    count: sum('count'),
    commits,
    total,
    skipCounts: left,
    bytes: sum('bytes'),
    patch,
    close,
  };
}
