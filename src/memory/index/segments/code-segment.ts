import type { SkipReason } from '#contract/projects.ts';
import { type Dictionary, openDictionary } from '../../bytes/dictionary.ts';
import { type Groups, openGroups } from '../../bytes/groups.ts';
import { createOidReader } from '../../bytes/oids.ts';
import type { Sections } from '../../bytes/sections.ts';
import { openStringList, type StringList } from '../../bytes/string-list.ts';
import { openTrigramIndex, type TrigramIndex } from '../trigrams/trigram-reader.ts';
import { PASSAGE_FIELDS } from './code-segment-builder.ts';
import { openPassageTexts, type ReadPassages } from './passage-texts.ts';
import { openPostingLists, type PostingLists } from './postings-reader.ts';

/** Contents of a code segment, numbered from 0, and their passages. */
export interface CodeSegment {
  readonly blobCount: number;
  oid(blob: number): string;
  language(blob: number): string;
  readonly lines: Uint32Array;
  /** First passage of each blob, and the end of the last one's. */
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
  readonly readPassages: ReadPassages;
}

/** Opens a segment that `CodeSegmentBuilder` wrote; `texts` is the path of its passage texts. */
export function openCodeSegment(file: Sections, texts: string | null): CodeSegment {
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
    readPassages: openPassageTexts(file, texts),
  };
}

/** State of a content in a segment: its number, or the reason why it is skipped. */
export type ContentEntry = { blob: number } | { reason: SkipReason };

/** Sections that `listContents` reads, and the passages of the contents. */
export const CONTENT_SECTIONS = [
  'blobs.oids',
  'blobs.chunkingKeys',
  'blobs.passages',
  'skipped.oids',
  'skipped.chunkingKeys',
  'skipped.reasons',
];

/** Iterates over the contents of a segment by `contentKey`. */
export function* listContents(file: Sections): Generator<[key: string, entry: ContentEntry]> {
  const keys = file.list('chunkingKeys');
  const [keyOf, skippedKeyOf] = [file.u32('blobs.chunkingKeys'), file.u32('skipped.chunkingKeys')];
  const oid = createOidReader(file.u8('blobs.oids'), keyOf.length);
  const skippedOid = createOidReader(file.u8('skipped.oids'), skippedKeyOf.length);
  const reasons = file.list('reasons') as SkipReason[];
  const reasonOf = file.u32('skipped.reasons');
  for (const [blob, key] of keyOf.entries()) yield [contentKey(oid(blob), keys[key]!), { blob }];
  for (const [skipped, key] of skippedKeyOf.entries()) {
    yield [contentKey(skippedOid(skipped), keys[key]!), { reason: reasons[reasonOf[skipped]!]! }];
  }
}

/** Identifies a content: a blob and the chunking key of its path. */
export const contentKey = (oid: string, chunkingKey: string) => `${oid} ${chunkingKey}`;
