import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { PageCache } from '../bytes/paged-file.ts';
import { Block } from './block.ts';
import { addLeft, type Left } from './hunk.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** Pages that one opened project keeps in memory, in bytes. */
const CACHE_BYTES = 16 * 2 ** 20;
/** Projects that a thread keeps open. */
const MOST_OPEN = 8;

/** The hunks of a project's history, as far as they are read: blocks on disk, of which little is kept in memory. */
export interface Hunks {
  readonly blocks: readonly Block[];
  /** Hunks of all blocks. */
  readonly count: number;
  /** Commits that were read; merges are not among them. */
  readonly commits: number;
  /** Commits that will have been read when all is there. */
  readonly total: number;
  /** Changes that were left out or read in part, by reason. */
  readonly left: Left;
  readonly bytes: number;
  /** The patch of a commit as git shows it, but for what was left out; null when it was not read. */
  patch(oid: string): Buffer | null;
}

interface Opened extends Hunks {
  readonly key: string;
  close(): void;
}

/** By folder, in the order of their last use. Files stay open, so that merged blocks serve whoever has them. */
const opened = new Map<string, Opened>();

/**
 * The hunks of a folder as its manifest names them now, opened once in a thread and used again until the manifest
 * changes. Null before the first block is there. Throws `index_rebuilding` when a block can't be used.
 */
export function openHunks(directory: string): Hunks | null {
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
  if (opened.size > MOST_OPEN) closeHunks(opened.keys().next().value!);
  return hunks;
}

/** The hunks of a folder, or null where there are none that can be used: whoever can ask git instead does. */
export function openUsableHunks(directory: string | null | undefined): Hunks | null {
  try {
    return directory ? openHunks(directory) : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return null;
    throw error;
  }
}

/** Closes the files of folders that have been deleted. */
export function closeRemovedHunks(): void {
  for (const directory of opened.keys()) if (!existsSync(directory)) closeHunks(directory);
}

/** Closes the files of a folder in this thread. */
export function closeHunks(directory: string): void {
  opened.get(directory)?.close();
  opened.delete(directory);
}

function open(directory: string, manifest: Manifest, key: string): Opened {
  const cache = new PageCache(CACHE_BYTES);
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
  const left: Left = {};
  for (const block of blocks) addLeft(left, block.left);
  const commits = sum('commitCount');
  const total = manifest.goal?.commits ?? commits;
  const patch = (oid: string) => {
    for (const block of blocks) {
      const commit = block.find(oid);
      if (commit >= 0) return block.patches.patch(commit);
    }
    return null;
  };
  return { key, blocks, count: sum('count'), commits, total, left, bytes: sum('bytes'), patch, close };
}
