import type { SkipReason } from '#contract/projects.ts';
import { type Groups, openGroups } from '../../bytes/chunked-arrays.ts';
import type { ShardFile } from '../../bytes/container.ts';
import { type Dictionary, openDictionary } from '../../bytes/dictionary.ts';
import { createOidReader } from '../../bytes/oids.ts';
import { openStringList, type StringList } from '../../bytes/string-list.ts';
import { openTrigramIndex, type TrigramIndex } from '../trigrams/trigram-reader.ts';
import { PASSAGE_FIELDS } from './code-segment-builder.ts';
import { openPassageTexts, type ReadPassageText } from './passage-texts.ts';
import { openPostingLists, type PostingLists } from './postings-reader.ts';

/** The contents of a code segment, numbered from 0, and their passages. */
export interface CodeSegment {
  readonly blobCount: number;
  oid(blob: number): string;
  language(blob: number): string;
  readonly lines: Uint32Array;
  /** First passage of each blob; the next one's first ends them. */
  readonly firstPassages: Uint32Array;
  readonly passageCount: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Number of each passage's symbol plus one; 0 is none. */
  readonly symbolOf: Uint32Array;
  readonly symbols: StringList;
  readonly names: Dictionary;
  readonly defining: Groups;
  readonly lists: PostingLists;
  readonly trigrams: TrigramIndex;
  readonly text: ReadPassageText;
}

/** Opens a segment that `CodeBuilder` made; `texts` is the path of what lies beside it. */
export function openCodeSegment(file: ShardFile, texts: string | null): CodeSegment {
  const firstPassages = file.u32('blobs.passages');
  const starts = file.u32('passages.starts');
  const languages = file.list('languages');
  const languageOf = file.u32('blobs.languages');
  const blobCount = firstPassages.length - 1;
  return {
    blobCount,
    oid: createOidReader(file.u8('blobs.oids'), blobCount),
    language: (blob) => languages[languageOf[blob]!]!,
    lines: file.u32('blobs.lines'),
    firstPassages,
    passageCount: starts.length,
    starts,
    ends: file.u32('passages.ends'),
    symbolOf: file.u32('passages.symbols'),
    symbols: openStringList(file, 'symbols'),
    names: openDictionary(file, 'names'),
    defining: openGroups(file, 'defining'),
    lists: openPostingLists(file, 'passages', PASSAGE_FIELDS.length),
    trigrams: openTrigramIndex(file),
    text: openPassageTexts(file, texts),
  };
}

/** What a segment knows of a content: its number there, or why it is left out. */
export type ContentEntry = { blob: number } | { reason: SkipReason };

/** Sections that tell what contents a segment holds. */
export const CONTENT_SECTIONS = [
  'blobs.oids',
  'blobs.kinds',
  'blobs.passages',
  'omitted.oids',
  'omitted.kinds',
  'omitted.reasons',
];

/** The contents that a segment holds, by `contentKey`. */
export function* listContents(file: ShardFile): Generator<[key: string, known: ContentEntry]> {
  const kinds = file.list('kinds');
  const [kindOf, omittedKindOf] = [file.u32('blobs.kinds'), file.u32('omitted.kinds')];
  const oid = createOidReader(file.u8('blobs.oids'), kindOf.length);
  const omittedOid = createOidReader(file.u8('omitted.oids'), omittedKindOf.length);
  const reasons = file.list('reasons') as SkipReason[];
  const reasonOf = file.u32('omitted.reasons');
  for (const [blob, kind] of kindOf.entries()) yield [contentKey(oid(blob), kinds[kind]!), { blob }];
  for (const [omitted, kind] of omittedKindOf.entries()) {
    yield [contentKey(omittedOid(omitted), kinds[kind]!), { reason: reasons[reasonOf[omitted]!]! }];
  }
}

/** What identifies a content: the blob, and the kind of path that it is read for. */
export const contentKey = (oid: string, kind: string) => `${oid} ${kind}`;
