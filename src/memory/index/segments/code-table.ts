import type { SkipReason } from '#contract/projects.ts';
import { openDictionary } from '../../bytes/dictionary.ts';
import { findRun, openGroups, prefixSums, valuesOf } from '../../bytes/groups.ts';
import type { Sections } from '../../bytes/sections.ts';
import { openStringList } from '../../bytes/string-list.ts';
import type { CodeTable, PassageField, TrigramQuery } from '../../repository-index.ts';
import { type CodeSegment, openCodeSegment } from './code-segment.ts';
import { BODY, PASSAGE_FIELDS, PROSE } from './code-segment-builder.ts';
import { createFileFieldIndex } from './file-field-index.ts';
import { openPostingLists, PostingsReader } from './postings-reader.ts';

/**
 * Opens the files of a revision over the segments that contain them. Visible contents are numbered without gaps in the
 * order of the files:
 *
 *     segments    contents 0 1 2 │ 3 4       in the order of indexing, visible or not
 *     revision    blobs    0 . 1 │ 2 .       `blobs.contents` = 0 2 3
 *     passages    likewise, those of a blob adjacent
 */
export function openCodeTable(manifest: Sections, segments: readonly SegmentSource[]): CodeTable {
  const opened = segments.map((segment) => openCodeSegment(segment.file, segment.texts));
  const visible = mapContents(manifest.u32('blobs.contents'), opened);
  return { ...openFiles(manifest, visible), ...openPassages(manifest, visible), ...openSkipped(manifest) };
}

/** A segment, and the path of its passage texts; null when it has none. */
export interface SegmentSource {
  readonly file: Sections;
  readonly texts: string | null;
}

/** Contents of segments that a revision shows. */
export interface VisibleContents {
  readonly segments: readonly CodeSegment[];
  /** Segment of every visible blob, and its number there. */
  readonly segmentOf: Uint32Array;
  readonly localOf: Uint32Array;
  /** First passage of every visible blob, and the end of the last one's. */
  readonly firstPassages: Uint32Array;
  /** By segment: the visible number of each of its passages, -1 for hidden ones; null when they are the same. */
  readonly docMaps: readonly (Int32Array | null)[];
  /** The blob of a passage. */
  blobOf(passage: number): number;
}

function mapContents(contents: Uint32Array, segments: CodeSegment[]): VisibleContents {
  const count = contents.length;
  const [segmentOf, localOf] = [new Uint32Array(count), new Uint32Array(count)];
  const firstPassages = new Uint32Array(count + 1);
  const bases = prefixSums(segments.map(({ blobCount }) => blobCount));
  contents.forEach((content, blob) => {
    const segment = findRun(bases, content);
    const local = content - bases[segment]!;
    const first = segments[segment]!.firstPassages;
    segmentOf[blob] = segment;
    localOf[blob] = local;
    firstPassages[blob + 1] = firstPassages[blob]! + first[local + 1]! - first[local]!;
  });
  const isWhole =
    segments.length === 1 &&
    count === segments[0]!.blobCount &&
    contents.every((content, blob) => content === blob);
  const docMaps = isWhole ? [null] : mapPassages(segments, { segmentOf, localOf, firstPassages });
  const blobOf = (passage: number) => findRun(firstPassages, passage);
  return { segments, segmentOf, localOf, firstPassages, docMaps, blobOf };
}

function mapPassages(
  segments: readonly CodeSegment[],
  { segmentOf, localOf, firstPassages }: Pick<VisibleContents, 'segmentOf' | 'localOf' | 'firstPassages'>,
): Int32Array[] {
  const docMaps = segments.map(({ passageCount }) => new Int32Array(passageCount).fill(-1));
  for (let blob = 0; blob < segmentOf.length; blob++) {
    const docMap = docMaps[segmentOf[blob]!]!;
    let passage = segments[segmentOf[blob]!]!.firstPassages[localOf[blob]!]!;
    for (let number = firstPassages[blob]!; number < firstPassages[blob + 1]!; number++)
      docMap[passage++] = number;
  }
  return docMaps;
}

function openFiles(manifest: Sections, { segments, segmentOf, localOf, firstPassages }: VisibleContents) {
  const paths = openDictionary(manifest, 'paths');
  const pathOf = manifest.u32('files.paths');
  const fileAt = manifest.u32('paths.files');
  const blobOf = manifest.u32('files.blobs');
  const lists = openPostingLists(manifest, 'paths', 1);
  const locate = (file: number) => {
    const blob = blobOf[file]!;
    return { segment: segments[segmentOf[blob]!]!, local: localOf[blob]! };
  };
  return {
    fileCount: pathOf.length,
    filePath: (file: number) => paths.get(pathOf[file]!),
    fileNumber: (path: string) => {
      const number = paths.find(path);
      return number === -1 ? -1 : fileAt[number]!;
    },
    fileBlob: (file: number) => {
      const { segment, local } = locate(file);
      return segment.oid(local);
    },
    fileLanguage: (file: number) => {
      const { segment, local } = locate(file);
      return segment.language(local);
    },
    fileLines: (file: number) => {
      const { segment, local } = locate(file);
      return segment.lines[local]!;
    },
    filePassages: (file: number) => {
      const blob = blobOf[file]!;
      const first = firstPassages[blob]!;
      return { first, count: firstPassages[blob + 1]! - first };
    },
    paths: new PostingsReader([{ lists, docMap: null }], pathOf.length).field(0, lists.lengths[0]!),
    candidateFiles: (query: TrigramQuery) => {
      const candidates = segments.map(({ trigrams }) => trigrams.candidates(query));
      if (candidates.includes(null)) return null;
      const bitmaps = candidates.map((blobs, segment) => toBitmap(blobs!, segments[segment]!.blobCount));
      return Array.from(blobOf, (_, file) => file).filter((file) => {
        const blob = blobOf[file]!;
        return bitmaps[segmentOf[blob]!]![localOf[blob]!] === 1;
      });
    },
  };
}

function toBitmap(numbers: Uint32Array, count: number): Uint8Array {
  const bitmap = new Uint8Array(count);
  for (const number of numbers) bitmap[number] = 1;
  return bitmap;
}

function openPassages(manifest: Sections, visible: VisibleContents) {
  const { segments, segmentOf, localOf, firstPassages, docMaps, blobOf } = visible;
  const files = openGroups(manifest, 'blobs.files');
  const passageCount = firstPassages.at(-1)!;
  const lists = segments.map((segment, i) => ({ lists: segment.lists, docMap: docMaps[i]! }));
  const reader = new PostingsReader(lists, passageCount);
  const indexes = PASSAGE_FIELDS.map((_, field) => reader.field(field, lengthsOf(visible, field)));
  const locate = (passage: number) => {
    const blob = blobOf(passage);
    const segment = segments[segmentOf[blob]!]!;
    return { segment, local: segment.firstPassages[localOf[blob]!]! + passage - firstPassages[blob]! };
  };
  return {
    passageCount,
    passageFiles: (passage: number) => [...valuesOf(files, blobOf(passage))],
    passageLines: (passage: number) => {
      const { segment, local } = locate(passage);
      return { start: segment.starts[local]!, end: segment.ends[local]! };
    },
    passageSymbol: (passage: number) => {
      const { segment, local } = locate(passage);
      const symbol = segment.symbolOf[local]!;
      return symbol === 0 ? null : segment.symbols.get(symbol - 1);
    },
    passageText: (passage: number) => {
      const { segment, local } = locate(passage);
      return segment.readPassages(local, 1)?.toString('utf8') ?? null;
    },
    passageBytes: (first: number, count: number) => {
      const { segment, local } = locate(first);
      return segment.readPassages(local, count);
    },
    passagesDefining: (name: string) => passagesDefining(visible, name.toLowerCase()),
    field: (field: PassageField) => indexes[PASSAGE_FIELDS.indexOf(field)]!,
    files: createFileFieldIndex(visible, files, [indexes[BODY]!, indexes[PROSE]!]),
  };
}

function passagesDefining({ segments, docMaps }: VisibleContents, name: string): number[] {
  const found = segments.flatMap((segment, i) => {
    const number = segment.names.find(name);
    if (number === -1) return [];
    const docMap = docMaps[i];
    const passages = [...valuesOf(segment.defining, number)];
    return docMap ? passages.map((passage) => docMap[passage]!).filter((passage) => passage >= 0) : passages;
  });
  return found.sort((a, b) => a - b);
}

/** Lengths of a field by visible passage. */
function lengthsOf({ segments, firstPassages, docMaps }: VisibleContents, field: number): Uint32Array {
  if (docMaps.length === 1 && docMaps[0] === null) return segments[0]!.lists.lengths[field]!;
  const lengths = new Uint32Array(firstPassages.at(-1)!);
  segments.forEach(({ lists }, i) => {
    docMaps[i]!.forEach((number, passage) => {
      if (number >= 0) lengths[number] = lists.lengths[field]![passage]!;
    });
  });
  return lengths;
}

function openSkipped(manifest: Sections) {
  const paths = openStringList(manifest, 'skipped.paths');
  const reasons = manifest.list('reasons') as SkipReason[];
  const reasonOf = manifest.u32('skipped.reasons');
  const sizes = manifest.f64('skipped.sizes');
  return {
    skippedCount: paths.count,
    skipped: (index: number) => {
      const size = sizes[index]!;
      return {
        path: paths.get(index),
        reason: reasons[reasonOf[index]!]!,
        size: Number.isNaN(size) ? null : size,
      };
    },
  };
}
