import type { SkipReason } from '#contract/projects.ts';
import { lastAtMost, openGroups, prefixSums, valuesOf } from '../../bytes/chunked-arrays.ts';
import type { ShardFile } from '../../bytes/container.ts';
import { openDictionary } from '../../bytes/dictionary.ts';
import { openStringList } from '../../bytes/string-list.ts';
import type { CodeTable, PassageField } from '../../repository-index.ts';
import type { TrigramQuery } from '../trigrams/trigram-query.ts';
import { type CodeSegment, openCodeSegment } from './code-segment.ts';
import { BODY, PASSAGE_FIELDS, PROSE } from './code-segment-builder.ts';
import { createFileFieldIndex } from './file-field-index.ts';
import { openPostingLists, PostingsReader } from './postings-reader.ts';

/**
 * A revision's files over the segments that hold their contents. What a revision shows is numbered without gaps, in
 * the order of its files:
 *
 *     segments    contents 0 1 2 │ 3 4       as they were added, whatever still shows them
 *     revision    blobs    0 . 1 │ 2 .       `blobs.contents` = 0 2 3
 *     passages    likewise, those of a blob one behind the other
 */
export function openCodeTable(file: ShardFile, segments: readonly SegmentSource[]): CodeTable {
  const opened = segments.map((segment) => openCodeSegment(segment.file, segment.texts));
  const shown = mapContents(file.u32('blobs.contents'), opened);
  return { ...openFiles(file, shown), ...openPassages(file, shown), ...openSkipped(file) };
}

/** A segment, and the path of its passages' texts, if they are kept. */
export interface SegmentSource {
  readonly file: ShardFile;
  readonly texts: string | null;
}

/** Segments, and where the contents that a revision shows lie in them. */
export interface VisibleContents {
  readonly segments: readonly CodeSegment[];
  /** Segment and number there of every shown blob. */
  readonly segmentOf: Uint32Array;
  readonly localOf: Uint32Array;
  /** First passage of every shown blob; the next one's first ends them. */
  readonly firstPassages: Uint32Array;
  /** By segment: the shown number of each of its passages, -1 for those not shown; null when they are the same. */
  readonly numbers: readonly (Int32Array | null)[];
  /** The blob of a passage. */
  blobOf(passage: number): number;
}

function mapContents(contents: Uint32Array, segments: CodeSegment[]): VisibleContents {
  const count = contents.length;
  const [segmentOf, localOf] = [new Uint32Array(count), new Uint32Array(count)];
  const firstPassages = new Uint32Array(count + 1);
  const bases = prefixSums(segments.map(({ blobCount }) => blobCount));
  contents.forEach((content, blob) => {
    const segment = lastAtMost(bases, content);
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
  const numbers = isWhole ? [null] : numberPassages(segments, { segmentOf, localOf, firstPassages });
  const blobOf = (passage: number) => lastAtMost(firstPassages, passage);
  return { segments, segmentOf, localOf, firstPassages, numbers, blobOf };
}

function numberPassages(
  segments: readonly CodeSegment[],
  { segmentOf, localOf, firstPassages }: Pick<VisibleContents, 'segmentOf' | 'localOf' | 'firstPassages'>,
): Int32Array[] {
  const numbers = segments.map(({ passageCount }) => new Int32Array(passageCount).fill(-1));
  for (let blob = 0; blob < segmentOf.length; blob++) {
    const own = numbers[segmentOf[blob]!]!;
    let passage = segments[segmentOf[blob]!]!.firstPassages[localOf[blob]!]!;
    for (let number = firstPassages[blob]!; number < firstPassages[blob + 1]!; number++)
      own[passage++] = number;
  }
  return numbers;
}

function openFiles(file: ShardFile, { segments, segmentOf, localOf, firstPassages }: VisibleContents) {
  const paths = openDictionary(file, 'paths');
  const pathOf = file.u32('files.paths');
  const fileAt = file.u32('paths.files');
  const blobOf = file.u32('files.blobs');
  const words = openPostingLists(file, 'paths', 1);
  const content = (of: number) => {
    const blob = blobOf[of]!;
    return { segment: segments[segmentOf[blob]!]!, local: localOf[blob]! };
  };
  return {
    fileCount: pathOf.length,
    filePath: (of: number) => paths.get(pathOf[of]!),
    fileNumber: (path: string) => {
      const number = paths.find(path);
      return number === -1 ? -1 : fileAt[number]!;
    },
    fileBlob: (of: number) => {
      const { segment, local } = content(of);
      return segment.oid(local);
    },
    fileLanguage: (of: number) => {
      const { segment, local } = content(of);
      return segment.language(local);
    },
    fileLines: (of: number) => {
      const { segment, local } = content(of);
      return segment.lines[local]!;
    },
    filePassages: (of: number) => {
      const blob = blobOf[of]!;
      const first = firstPassages[blob]!;
      return { first, count: firstPassages[blob + 1]! - first };
    },
    paths: new PostingsReader([{ lists: words, docMap: null }], pathOf.length).field(0, words.lengths[0]!),
    filesHolding: (query: TrigramQuery) => {
      const holding = segments.map(({ trigrams }) => trigrams.candidates(query));
      if (holding.includes(null)) return null;
      const marks = holding.map((blobs, segment) => toBitmap(blobs!, segments[segment]!.blobCount));
      return Array.from(blobOf, (_, of) => of).filter((of) => {
        const blob = blobOf[of]!;
        return marks[segmentOf[blob]!]![localOf[blob]!] === 1;
      });
    },
  };
}

function toBitmap(numbers: Uint32Array, count: number): Uint8Array {
  const marks = new Uint8Array(count);
  for (const number of numbers) marks[number] = 1;
  return marks;
}

function openPassages(file: ShardFile, shown: VisibleContents) {
  const { segments, segmentOf, localOf, firstPassages, numbers, blobOf } = shown;
  const files = openGroups(file, 'blobs.files');
  const passageCount = firstPassages.at(-1)!;
  const lists = segments.map((segment, i) => ({ lists: segment.lists, numbers: numbers[i]! }));
  const reader = new PostingsReader(lists, passageCount);
  const indexes = PASSAGE_FIELDS.map((_, field) => reader.field(field, lengthsOf(shown, field)));
  const place = (passage: number) => {
    const blob = blobOf(passage);
    const segment = segments[segmentOf[blob]!]!;
    return { segment, local: segment.firstPassages[localOf[blob]!]! + passage - firstPassages[blob]! };
  };
  return {
    passageCount,
    passageFiles: (passage: number) => [...valuesOf(files, blobOf(passage))],
    passageLines: (passage: number) => {
      const { segment, local } = place(passage);
      return { start: segment.starts[local]!, end: segment.ends[local]! };
    },
    passageSymbol: (passage: number) => {
      const { segment, local } = place(passage);
      const symbol = segment.symbolOf[local]!;
      return symbol === 0 ? null : segment.symbols.get(symbol - 1);
    },
    passageText: (passage: number) => {
      const { segment, local } = place(passage);
      return segment.text(local);
    },
    passagesDefining: (name: string) => passagesDefining(shown, name.toLowerCase()),
    field: (field: PassageField) => indexes[PASSAGE_FIELDS.indexOf(field)]!,
    files: createFileFieldIndex(shown, files, [indexes[BODY]!, indexes[PROSE]!]),
  };
}

function passagesDefining({ segments, numbers }: VisibleContents, name: string): number[] {
  const found = segments.flatMap((segment, i) => {
    const number = segment.names.find(name);
    if (number === -1) return [];
    const own = numbers[i];
    const passages = [...valuesOf(segment.defining, number)];
    return own ? passages.map((passage) => own[passage]!).filter((passage) => passage >= 0) : passages;
  });
  return found.sort((a, b) => a - b);
}

/** Lengths of a field by shown passage. */
function lengthsOf({ segments, firstPassages, numbers }: VisibleContents, field: number): Uint32Array {
  if (numbers.length === 1 && numbers[0] === null) return segments[0]!.lists.lengths[field]!;
  const lengths = new Uint32Array(firstPassages.at(-1)!);
  segments.forEach(({ lists }, i) => {
    numbers[i]!.forEach((number, passage) => {
      if (number >= 0) lengths[number] = lists.lengths[field]![passage]!;
    });
  });
  return lengths;
}

function openSkipped(file: ShardFile) {
  const paths = openStringList(file, 'skipped.paths');
  const reasons = file.list('reasons') as SkipReason[];
  const reasonOf = file.u32('skipped.reasons');
  const sizes = file.f64('skipped.sizes');
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
