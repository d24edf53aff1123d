import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readShardFile, type ShardFile, viewShardFile } from '../bytes/container.ts';
import type { RepositoryIndex } from '../repository-index.ts';
import { openCodeTable, type SegmentSource } from './segments/code-table.ts';
import { openCommitTable } from './segments/commit-table.ts';
import { passageTextsPath } from './segments/passage-texts.ts';

/**
 * The files of a generation: two that say what the revision shows, and the segments that they name. Segments are
 * never changed and shared with later generations. `files` is there once the passages phase is through.
 */
export const HISTORY_FILE = 'history';
export const FILES_FILE = 'files';
/** What a segment holds: the beginning of its name, and the kind that stands in it. */
export const COMMIT_SEGMENT = 'commits';
export const CODE_SEGMENT = 'code';

/** The buffers of an opened generation: all that another thread needs to read it. */
export interface SharedIndex {
  readonly generation: string;
  /** The folder of the project's generations; absent for what was put together in memory. */
  readonly directory?: string;
  readonly commits: SharedPart;
  readonly code: SharedPart | null;
}

/** What the revision shows, and its segments in the order in which they are named there. */
export interface SharedPart {
  readonly manifest: SharedArrayBuffer;
  readonly segments: readonly SharedSegment[];
}

export interface SharedSegment {
  readonly name: string;
  readonly buffer: SharedArrayBuffer;
  /** Path of the texts that lie beside a code segment; one that was never written to a file has none. */
  readonly texts: string | null;
}

/** A segment that is in memory already, or undefined. */
type FindSegment = (segment: string) => SharedArrayBuffer | undefined;

/**
 * Reads a generation into shared memory; segments that are `known` are not read again. Throws `index_rebuilding`
 * when it is missing, damaged or of another version.
 */
export async function readGeneration(
  directory: string,
  generation: string,
  known: FindSegment = () => undefined,
): Promise<SharedIndex> {
  const folder = join(directory, generation);
  const names = await readdir(folder).catch((): string[] => []);
  const commits = await readPart(folder, HISTORY_FILE, COMMIT_SEGMENT, known);
  const code = names.includes(FILES_FILE) ? await readPart(folder, FILES_FILE, CODE_SEGMENT, known) : null;
  return { generation, directory, commits, code };
}

async function readPart(folder: string, file: string, kind: string, known: FindSegment): Promise<SharedPart> {
  const shown = await readShardFile(join(folder, file), file);
  const segments: SharedSegment[] = [];
  for (const name of shown.list('segments')) {
    const path = join(folder, name);
    const buffer = known(name) ?? (await readShardFile(path, kind)).buffer;
    segments.push({ name, buffer, texts: kind === CODE_SEGMENT ? passageTextsPath(path) : null });
  }
  return { manifest: shown.buffer, segments };
}

/** The tables over buffers that `readGeneration` made, in any thread. */
export function openIndex(shared: SharedIndex): RepositoryIndex {
  const { generation, commits, code } = shared;
  return {
    generation,
    revision: viewShardFile(commits.manifest).text('revision'),
    commits: openPart(commits, (shown, segments) =>
      openCommitTable(
        shown,
        segments.map(({ file }) => file),
      ),
    ),
    code: code && openPart(code, openCodeTable),
    bytes: bytesOf(commits) + (code ? bytesOf(code) : 0),
    shared,
  };
}

function openPart<T>(
  { manifest: shown, segments }: SharedPart,
  open: (shown: ShardFile, segments: SegmentSource[]) => T,
): T {
  const files = segments.map(({ buffer, texts }) => ({ file: viewShardFile(buffer), texts }));
  return open(viewShardFile(shown), files);
}

function bytesOf({ manifest: shown, segments }: SharedPart): number {
  return segments.reduce((sum, { buffer }) => sum + buffer.byteLength, shown.byteLength);
}
