import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readShardFile, type ShardFile, viewShardFile } from '../bytes/container.ts';
import type { Memory } from '../repository-index.ts';
import { openCode, type SegmentFile } from './segments/code-table.ts';
import { openCommits } from './segments/commit-table.ts';
import { textsPath } from './segments/passage-texts.ts';

/**
 * The files of a generation: two that say what the revision shows, and the segments that they name. Segments are
 * never changed and shared with later generations. `files` is there once the passages phase is through.
 */
export const HISTORY_FILE = 'history';
export const FILES_FILE = 'files';
/** What a segment holds: the beginning of its name, and the kind that stands in it. */
export const COMMITS = 'commits';
export const CODE = 'code';

/** The buffers of an opened generation: all that another thread needs to read it. */
export interface SharedMemory {
  readonly generation: string;
  /** The folder of the project's generations; absent for what was put together in memory. */
  readonly directory?: string;
  readonly commits: SharedSide;
  readonly code: SharedSide | null;
}

/** What the revision shows, and its segments in the order in which they are named there. */
export interface SharedSide {
  readonly shown: SharedArrayBuffer;
  readonly segments: readonly SharedSegment[];
}

export interface SharedSegment {
  readonly name: string;
  readonly buffer: SharedArrayBuffer;
  /** Path of the texts that lie beside a code segment; one that was never written to a file has none. */
  readonly texts: string | null;
}

/** A segment that is in memory already, or undefined. */
type Known = (segment: string) => SharedArrayBuffer | undefined;

/**
 * Reads a generation into shared memory; segments that are `known` are not read again. Throws `index_rebuilding`
 * when it is missing, damaged or of another version.
 */
export async function readGeneration(
  directory: string,
  generation: string,
  known: Known = () => undefined,
): Promise<SharedMemory> {
  const folder = join(directory, generation);
  const names = await readdir(folder).catch((): string[] => []);
  const commits = await readSide(folder, HISTORY_FILE, COMMITS, known);
  const code = names.includes(FILES_FILE) ? await readSide(folder, FILES_FILE, CODE, known) : null;
  return { generation, directory, commits, code };
}

async function readSide(folder: string, file: string, kind: string, known: Known): Promise<SharedSide> {
  const shown = await readShardFile(join(folder, file), file);
  const segments: SharedSegment[] = [];
  for (const name of shown.list('segments')) {
    const path = join(folder, name);
    const buffer = known(name) ?? (await readShardFile(path, kind)).buffer;
    segments.push({ name, buffer, texts: kind === CODE ? textsPath(path) : null });
  }
  return { shown: shown.buffer, segments };
}

/** The tables over buffers that `readGeneration` made, in any thread. */
export function openMemory(shared: SharedMemory): Memory {
  const { generation, commits, code } = shared;
  return {
    generation,
    revision: viewShardFile(commits.shown).text('revision'),
    commits: openSide(commits, (shown, segments) =>
      openCommits(
        shown,
        segments.map(({ file }) => file),
      ),
    ),
    code: code && openSide(code, openCode),
    bytes: bytesOf(commits) + (code ? bytesOf(code) : 0),
    shared,
  };
}

function openSide<T>(
  { shown, segments }: SharedSide,
  open: (shown: ShardFile, segments: SegmentFile[]) => T,
): T {
  const files = segments.map(({ buffer, texts }) => ({ file: viewShardFile(buffer), texts }));
  return open(viewShardFile(shown), files);
}

function bytesOf({ shown, segments }: SharedSide): number {
  return segments.reduce((sum, { buffer }) => sum + buffer.byteLength, shown.byteLength);
}
