import { join } from 'node:path';
import type { SkipReason } from '#contract/projects.ts';
import { openDictionary } from '../bytes/dictionary.ts';
import { addGroups, findRun, prefixSums } from '../bytes/groups.ts';
import { createOidReader } from '../bytes/oids.ts';
import { readDraft, readSections } from '../bytes/section-file.ts';
import { addSection, type SectionDraft, type Sections, viewDraft } from '../bytes/sections.ts';
import { openStringList } from '../bytes/string-list.ts';
import type { IndexLimits } from '../limits.ts';
import { maxIndexedBytes } from '../skip-rules.ts';
import { CODE_SEGMENT, FILES_FILE } from './generation-reader.ts';
import { CONTENT_SECTIONS, contentKey } from './segments/code-segment.ts';
import { MAX_LISTED_SKIPS } from './segments/file-table-builder.ts';

/** Code segment of the previous generation: its contents and their passages. */
interface PreviousSegment {
  readonly name: string;
  readonly file: Sections;
  readonly firstPassages: Uint32Array;
  readonly blobCount: number;
  readonly skippedCount: number;
}

/** Files of the previous generation, as they were written. */
export interface PreviousCode {
  readonly revision: string;
  readonly draft: SectionDraft;
  readonly segments: readonly PreviousSegment[];
  /** Content of every file, numbered consecutively over all segments. */
  readonly contentOf: Uint32Array;
  readonly fileCount: number;
  path(file: number): string;
  /** The file at a path, and the skipped one; -1 when absent. */
  findFile(path: string): number;
  findSkipped(path: string): number;
  skippedReason(skipped: number): SkipReason;
  readonly skippedReasons: readonly SkipReason[];
  readonly skippedSizes: Float64Array;
}

/** Rules by which files are selected, stored with them: with other rules, unchanged files are judged again too. */
export const selectionRules = ({ maxFileBytes, maxEntries, excludedPaths = [] }: IndexLimits) =>
  JSON.stringify([maxFileBytes, Number.isFinite(maxEntries) ? maxEntries : -1, excludedPaths]);

/**
 * Reads the files of a generation; null where unchanged ones may have to be judged again: under other rules, or when some were
 * left out for want of space or content. Throws `index_rebuilding` for a damaged one.
 */
export async function readPreviousCode(folder: string, limits: IndexLimits): Promise<PreviousCode | null> {
  const draft = readDraft(join(folder, FILES_FILE), FILES_FILE);
  if (draft.facts.rules !== selectionRules(limits)) return null;
  const manifest = viewDraft(draft);
  const paths = openDictionary(manifest, 'paths');
  const pathOf = manifest.u32('files.paths');
  const blobOf = manifest.u32('files.blobs');
  const contents = manifest.u32('blobs.contents');
  const fileAt = manifest.u32('paths.files');
  // A superset has several files at a path.
  if (paths.count !== pathOf.length) return null;
  const reasons = manifest.list('reasons') as SkipReason[];
  const skippedReasons = Array.from(manifest.u32('skipped.reasons'), (reason) => reasons[reason]!);
  const skippedSizes = manifest.f64('skipped.sizes').slice();
  const skippedPaths = openStringList(manifest, 'skipped.paths');
  const isUncertain = (reason: SkipReason, at: number) =>
    reason === 'over_limit' ||
    (reason === 'too_large' && !(skippedSizes[at]! > maxIndexedBytes(skippedPaths.get(at), limits)));
  if (skippedReasons.length >= MAX_LISTED_SKIPS || skippedReasons.some(isUncertain)) return null;
  const segments = await Promise.all(manifest.list('segments').map((name) => readSegment(folder, name)));
  let skippedAt: Map<string, number> | null = null;
  return {
    revision: manifest.text('revision'),
    draft,
    segments,
    contentOf: blobOf.map((blob) => contents[blob]!),
    fileCount: pathOf.length,
    path: (file) => paths.get(pathOf[file]!),
    findFile: (path) => {
      const number = paths.find(path);
      return number === -1 ? -1 : fileAt[number]!;
    },
    findSkipped: (path) => {
      skippedAt ??= new Map(skippedReasons.map((_, at) => [skippedPaths.get(at), at]));
      return skippedAt.get(path) ?? -1;
    },
    skippedReason: (skipped) => skippedReasons[skipped]!,
    skippedReasons,
    skippedSizes,
  };
}

async function readSegment(folder: string, name: string): Promise<PreviousSegment> {
  const file = await readSections(join(folder, name), CODE_SEGMENT, CONTENT_SECTIONS);
  const firstPassages = file.u32('blobs.passages');
  const skippedCount = file.u32('skipped.reasons').length;
  return { name, file, firstPassages, blobCount: firstPassages.length - 1, skippedCount };
}

/** Hash of a content of a segment. */
export function contentOid({ file, blobCount }: PreviousSegment, blob: number): string {
  return createOidReader(file.u8('blobs.oids'), blobCount)(blob);
}

/** Contents of a segment that are among these keys, with their numbers in the segment. */
export function findContents(
  { file, blobCount }: PreviousSegment,
  keys: ReadonlySet<string>,
): Map<string, number> {
  const found = new Map<string, number>();
  if (blobCount === 0) return found;
  const oids = file.u8('blobs.oids');
  const width = oids.length / blobCount;
  const first = new Set(Array.from(keys, (key) => Number.parseInt(key.slice(0, 4), 16)));
  const [chunkingKeys, keyOf] = [file.list('chunkingKeys'), file.u32('blobs.chunkingKeys')];
  const oid = createOidReader(oids, blobCount);
  for (let blob = 0; blob < blobCount; blob++) {
    // Two bytes exclude nearly all without making a string.
    if (!first.has(oids[blob * width]! * 256 + oids[blob * width + 1]!)) continue;
    const key = contentKey(oid(blob), chunkingKeys[keyOf[blob]!]!);
    if (keys.has(key)) found.set(key, blob);
  }
  return found;
}

/** Counts the passages of some contents, numbered over all segments. */
export function countPassages({ segments }: PreviousCode, contents: Uint32Array): number {
  const bases = prefixSums(segments.map(({ blobCount }) => blobCount));
  let sum = 0;
  for (const content of contents) {
    const i = findRun(bases, content);
    const { firstPassages } = segments[i]!;
    sum += firstPassages[content - bases[i]! + 1]! - firstPassages[content - bases[i]!]!;
  }
  return sum;
}

/**
 * Replaces the contents of the files, and sizes of skipped ones, in the draft of the previous generation. Visible contents
 * are numbered in the order of their files.
 */
export function replaceContents(
  { draft, skippedSizes }: PreviousCode,
  contentOf: Uint32Array,
  sizes: ReadonlyMap<number, number>,
): { draft: SectionDraft; visible: Uint32Array } {
  const last = contentOf.reduce((most, content) => Math.max(most, content), -1);
  const numberOf = new Int32Array(last + 1).fill(-1);
  const visible = new Uint32Array(contentOf.length);
  const filesOf = new Uint32Array(contentOf.length + 1);
  let count = 0;
  const blobOf = contentOf.map((content) => {
    if (numberOf[content] === -1) {
      visible[count] = content;
      numberOf[content] = count++;
    }
    filesOf[numberOf[content]! + 1]!++;
    return numberOf[content]!;
  });
  const starts = filesOf.subarray(0, count + 1);
  for (let blob = 0; blob < count; blob++) starts[blob + 1]! += starts[blob]!;
  const ends = starts.slice();
  const values = new Uint32Array(blobOf.length);
  blobOf.forEach((blob, file) => {
    values[ends[blob]!++] = file;
  });
  for (const [skipped, size] of sizes) skippedSizes[skipped] = size;
  const contents = visible.subarray(0, count);
  addSection(draft, 'files.blobs', blobOf);
  addSection(draft, 'blobs.contents', contents);
  addGroups(draft, 'blobs.files', { starts, values });
  addSection(draft, 'skipped.sizes', skippedSizes);
  return { draft, visible: contents };
}
