import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PendingPart } from '#contract/projects.ts';
import type { Sections } from '../bytes/sections.ts';
import { readSharedSections, viewSharedSections } from '../bytes/shared-sections.ts';
import type { RepositoryIndex, SharedIndex, SharedPart, SharedSegment } from '../repository-index.ts';
import { openCodeTable, type SegmentSource } from './segments/code-table.ts';
import { openCommitTable } from './segments/commit-table.ts';
import { passageTextsPath } from './segments/passage-texts.ts';

/**
 * Files of a generation: two manifests of what the revision shows, and the segments that they name. Segments are
 * immutable and shared with later generations. `files` exists once the passages phase is complete.
 */
export const HISTORY_FILE = 'history';
export const FILES_FILE = 'files';
/**
 * The same manifests of what is read first: the newest commits, and files chunked by lines. Later generations never reuse
 * their segments.
 */
export const RECENT_HISTORY_FILE = 'history-recent';
export const LINES_FILE = 'files-by-lines';
/**
 * Kinds of segments, which are also the prefixes of their names. The number is the version of chunking, of the languages of
 * paths and of the rules by which files are skipped: segments with another one are read as damaged and built again, while
 * commits, changes and embeddings stay.
 */
export const COMMIT_SEGMENT = 'commits';
export const CODE_SEGMENT = 'code-2';
export const RECENT_COMMIT_SEGMENT = 'recent-commits';
export const LINES_SEGMENT = 'lines-2';

/** Finds a segment in memory. */
type FindSegment = (segment: string) => SharedArrayBuffer | undefined;

/**
 * Reads a generation into shared memory; those that `findSegment` returns are not read again. Throws `index_rebuilding`
 * when it is missing, damaged or of another version.
 */
export async function readGeneration(
  directory: string,
  generation: string,
  findSegment: FindSegment = () => undefined,
): Promise<SharedIndex> {
  const folder = join(directory, generation);
  const names = await readdir(folder).catch((): string[] => []);
  const pending: PendingPart[] = [];
  const read = async (file: string, kind: string) => await readPart(folder, file, kind, findSegment);
  const hasHistory = names.includes(HISTORY_FILE) || !names.includes(RECENT_HISTORY_FILE);
  if (!hasHistory) pending.push('commits');
  const commits = hasHistory
    ? await read(HISTORY_FILE, COMMIT_SEGMENT)
    : await read(RECENT_HISTORY_FILE, RECENT_COMMIT_SEGMENT);
  let code: SharedPart | null = null;
  if (names.includes(FILES_FILE)) code = await read(FILES_FILE, CODE_SEGMENT);
  else if (names.includes(LINES_FILE)) {
    code = await read(LINES_FILE, LINES_SEGMENT);
    pending.push('symbols');
  }
  return { generation, directory, commits, code, pending };
}

async function readPart(
  folder: string,
  file: string,
  kind: string,
  findSegment: FindSegment,
): Promise<SharedPart> {
  const manifest = await readSharedSections(join(folder, file), file);
  const segments: SharedSegment[] = [];
  for (const name of manifest.list('segments')) {
    const path = join(folder, name);
    const buffer = findSegment(name) ?? (await readSharedSections(path, kind)).buffer;
    segments.push({
      name,
      buffer,
      texts: kind === CODE_SEGMENT || kind === LINES_SEGMENT ? passageTextsPath(path) : null,
    });
  }
  return { manifest: manifest.buffer, segments };
}

/** Opens the tables over buffers of `readGeneration`, in any thread. */
export function openIndex(shared: SharedIndex): RepositoryIndex {
  const { generation, commits, code, pending } = shared;
  return {
    generation,
    revision: viewSharedSections(commits.manifest).text('revision'),
    commits: openPart(commits, (manifest, segments) =>
      openCommitTable(
        manifest,
        segments.map(({ file }) => file),
      ),
    ),
    code: code && openPart(code, openCodeTable),
    pending,
    bytes: bytesOf(commits) + (code ? bytesOf(code) : 0),
    shared,
  };
}

/**
 * Leaves out the parts of an index that are still being read, so that answers never conclude from what is missing there; null
 * while the history is among them.
 */
export function completeParts(index: RepositoryIndex): RepositoryIndex | null {
  const { pending, shared } = index;
  if (pending.length === 0) return index;
  if (pending.includes('commits')) return null;
  return { ...index, code: null, pending: [], shared: { ...shared, code: null, pending: [] } };
}

function openPart<T>(
  { manifest, segments }: SharedPart,
  open: (manifest: Sections, segments: SegmentSource[]) => T,
): T {
  const files = segments.map(({ buffer, texts }) => ({ file: viewSharedSections(buffer), texts }));
  return open(viewSharedSections(manifest), files);
}

function bytesOf({ manifest, segments }: SharedPart): number {
  return segments.reduce((sum, { buffer }) => sum + buffer.byteLength, manifest.byteLength);
}
