import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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
 * Kinds of segments, which are also the prefixes of their names. The number is the version of chunking, of the languages of
 * paths and of the rules by which files are skipped: segments with another one are read as damaged and built again, while
 * commits, changes and embeddings stay.
 */
export const COMMIT_SEGMENT = 'commits';
export const CODE_SEGMENT = 'code-2';

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
  const commits = await readPart(folder, HISTORY_FILE, COMMIT_SEGMENT, findSegment);
  const code = names.includes(FILES_FILE)
    ? await readPart(folder, FILES_FILE, CODE_SEGMENT, findSegment)
    : null;
  return { generation, directory, commits, code };
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
    segments.push({ name, buffer, texts: kind === CODE_SEGMENT ? passageTextsPath(path) : null });
  }
  return { manifest: manifest.buffer, segments };
}

/** Opens the tables over buffers of `readGeneration`, in any thread. */
export function openIndex(shared: SharedIndex): RepositoryIndex {
  const { generation, commits, code } = shared;
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
    bytes: bytesOf(commits) + (code ? bytesOf(code) : 0),
    shared,
  };
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
