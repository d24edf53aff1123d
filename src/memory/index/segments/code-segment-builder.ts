import type { SkipReason } from '#contract/projects.ts';
import { addGroups, ChunkedUint8Array, ChunkedUint32Array, groupByKey } from '../../bytes/chunked-arrays.ts';
import { addSection, type Draft, newDraft } from '../../bytes/container.ts';
import { DictionaryBuilder } from '../../bytes/dictionary.ts';
import type { ChunkedFile, Passage } from '../../chunk/passages.ts';
import { TrigramIndexBuilder } from '../trigrams/trigram-builder.ts';
import type { PassageTextWriter } from './passage-texts.ts';
import { PostingsBuilder } from './postings-builder.ts';
import { Vocabulary } from './vocabulary.ts';

/** Fields of a segment's postings, in their order. */
export const PASSAGE_FIELDS = ['body', 'prose', 'symbol'] as const;
export const [BODY, PROSE, SYMBOL] = [0, 1, 2] as const;

/**
 * Collects contents for a code segment of a shard. A content is a blob together with the kind of path that it is
 * read for (`content.ts`): its passages, or why it has none. Where it lies is no business of a segment.
 */
export class CodeSegmentBuilder {
  readonly #texts: PassageTextWriter | null;
  readonly #vocabulary = new Vocabulary();
  readonly #postings = new PostingsBuilder(PASSAGE_FIELDS.length);
  readonly #kinds = new DictionaryBuilder();
  readonly #blobs = new BlobColumns();
  readonly #trigrams = new TrigramIndexBuilder();
  readonly #languages = new DictionaryBuilder();
  readonly #languageOf = new ChunkedUint32Array();
  readonly #lineCounts = new ChunkedUint32Array();
  readonly #firstPassages = new ChunkedUint32Array();
  readonly #starts = new ChunkedUint32Array();
  readonly #ends = new ChunkedUint32Array();
  readonly #symbols = new DictionaryBuilder();
  /** Number of the symbol plus one; 0 is none. */
  readonly #symbolOf = new ChunkedUint32Array();
  readonly #names = new DictionaryBuilder();
  readonly #nameKeys = new ChunkedUint32Array();
  readonly #namePassages = new ChunkedUint32Array();
  readonly #omitted = new BlobColumns();
  readonly #reasons = new DictionaryBuilder();
  readonly #reasonOf = new ChunkedUint32Array();

  /** `texts` are kept beside the segment; null for one that is never written to a file. */
  constructor(texts: PassageTextWriter | null) {
    this.#texts = texts;
  }

  /** Whether nothing was added or omitted. */
  get isEmpty(): boolean {
    return this.#blobs.count + this.#omitted.count === 0;
  }

  get passageCount(): number {
    return this.#starts.length;
  }

  /** Bytes of memory and of texts, which are about those of the segment. */
  get allocatedBytes(): number {
    const columns = [
      ...[this.#vocabulary.terms, this.#postings, this.#trigrams, this.#symbols, this.#symbolOf],
      ...[this.#names, this.#nameKeys, this.#namePassages, this.#starts, this.#ends],
    ];
    const texts = this.#texts?.compressedBytes ?? 0;
    return columns.reduce((sum, { allocatedBytes: heldBytes }) => sum + heldBytes, texts);
  }

  /** Adds a content that was not added before: its text, cut, and the bytes that the text was read from. */
  add(oid: string, kind: string, text: string, cut: ChunkedFile, bytes: Uint8Array): void {
    this.#blobs.add(oid, this.#kinds.number(kind));
    this.#trigrams.addBlob(bytes);
    this.#languageOf.push(this.#languages.number(cut.language));
    this.#lineCounts.push(cut.lineCount);
    this.#firstPassages.push(this.passageCount);
    for (const passage of cut.passages) this.#addPassage(text, passage);
  }

  /** Notes that a content is left out whenever a path of this kind shows it. */
  skip(oid: string, kind: string, reason: SkipReason): void {
    this.#omitted.add(oid, this.#kinds.number(kind));
    this.#reasonOf.push(this.#reasons.number(reason));
  }

  #addPassage(text: string, { start, end, symbol, defines, runs }: Passage): void {
    const passage = this.passageCount;
    this.#starts.push(start);
    this.#ends.push(end);
    this.#symbolOf.push(symbol === null ? 0 : this.#symbols.number(symbol) + 1);
    for (const { prose, from, to } of runs) {
      this.#vocabulary.addText(text, this.#postings, prose ? PROSE : BODY, from, to);
    }
    const names = new Set(symbol === null ? defines : [symbol, ...defines]);
    for (const name of names) this.#vocabulary.addText(name, this.#postings, SYMBOL);
    for (const name of new Set(defines.flatMap(lookupNames))) {
      this.#nameKeys.push(this.#names.number(name));
      this.#namePassages.push(passage);
    }
    this.#postings.endDocument();
    this.#texts?.add(text.slice(runs[0]?.from, runs.at(-1)?.to ?? 0));
  }

  /** The finished sections. */
  finish(): Draft {
    const draft = newDraft();
    draft.facts.kinds = this.#kinds.texts();
    draft.facts.languages = this.#languages.texts();
    draft.facts.reasons = this.#reasons.texts();
    this.#blobs.writeTo(draft, 'blobs');
    this.#trigrams.writeTo(draft);
    addSection(draft, 'blobs.languages', this.#languageOf);
    addSection(draft, 'blobs.lines', this.#lineCounts);
    this.#firstPassages.push(this.passageCount);
    addSection(draft, 'blobs.passages', this.#firstPassages);
    addSection(draft, 'passages.starts', this.#starts);
    addSection(draft, 'passages.ends', this.#ends);
    addSection(draft, 'passages.symbols', this.#symbolOf);
    this.#symbols.writeTo(draft, 'symbols');
    this.#names.writeTo(draft, 'names');
    addGroups(draft, 'defining', groupByKey(this.#nameKeys, this.#namePassages, this.#names.size));
    this.#omitted.writeTo(draft, 'omitted');
    addSection(draft, 'omitted.reasons', this.#reasonOf);
    this.#postings.writeTo(draft, 'passages', this.#vocabulary.terms);
    this.#texts?.finish(draft);
    return draft;
  }
}

/** Hashes of blobs and the kinds of path that they are read for. */
class BlobColumns {
  readonly #oids = new ChunkedUint8Array();
  readonly #kindOf = new ChunkedUint32Array();

  get count(): number {
    return this.#kindOf.length;
  }

  add(oid: string, kind: number): void {
    this.#oids.append(Buffer.from(oid, 'hex'));
    this.#kindOf.push(kind);
  }

  writeTo(draft: Draft, name: string): void {
    addSection(draft, `${name}.oids`, this.#oids);
    addSection(draft, `${name}.kinds`, this.#kindOf);
  }
}

/** A definition is asked for by its full name or by the last part of it, without case. */
function lookupNames(name: string): string[] {
  const full = name.toLowerCase();
  return [full, full.slice(full.lastIndexOf('.') + 1)];
}
