import type { SkipReason } from '#contract/projects.ts';
import { ChunkedUint8Array, ChunkedUint32Array } from '../../bytes/chunked-arrays.ts';
import { DictionaryBuilder } from '../../bytes/dictionary.ts';
import { addGroups, groupByKey } from '../../bytes/groups.ts';
import { addSection, createDraft, type SectionDraft } from '../../bytes/sections.ts';
import type { ChunkedFile, Passage } from '../../chunk/passages.ts';
import { TrigramIndexBuilder } from '../trigrams/trigram-builder.ts';
import type { PassageTextWriter } from './passage-texts.ts';
import { PostingsBuilder } from './postings-builder.ts';
import { Vocabulary } from './vocabulary.ts';

/** Fields of a code segment's postings, in their order. */
export const PASSAGE_FIELDS = ['body', 'prose', 'symbol'] as const;
export const [BODY, PROSE, SYMBOL] = [0, 1, 2] as const;

/**
 * Collects contents for a code segment. A content is a blob together with a chunking key: its passages, or the reason
 * why it is skipped. A segment does not store where its contents lie in a tree.
 */
export class CodeSegmentBuilder {
  readonly #texts: PassageTextWriter | null;
  readonly #vocabulary = new Vocabulary();
  readonly #postings = new PostingsBuilder(PASSAGE_FIELDS.length);
  readonly #chunkingKeys = new DictionaryBuilder();
  readonly #blobs = new BlobColumns();
  readonly #trigrams = new TrigramIndexBuilder();
  readonly #languages = new DictionaryBuilder();
  readonly #languageOf = new ChunkedUint32Array();
  readonly #lineCounts = new ChunkedUint32Array();
  readonly #firstPassages = new ChunkedUint32Array();
  readonly #starts = new ChunkedUint32Array();
  readonly #ends = new ChunkedUint32Array();
  readonly #symbols = new DictionaryBuilder();
  /** Number of each passage's symbol plus one; 0 is none. */
  readonly #symbolOf = new ChunkedUint32Array();
  readonly #names = new DictionaryBuilder();
  readonly #nameKeys = new ChunkedUint32Array();
  readonly #namePassages = new ChunkedUint32Array();
  readonly #skipped = new BlobColumns();
  readonly #reasons = new DictionaryBuilder();
  readonly #reasonOf = new ChunkedUint32Array();

  /** `texts` is written beside the segment; null for one that is never written to a file. */
  constructor(texts: PassageTextWriter | null) {
    this.#texts = texts;
  }

  /** True when nothing was added or skipped. */
  get isEmpty(): boolean {
    return this.#blobs.count + this.#skipped.count === 0;
  }

  get passageCount(): number {
    return this.#starts.length;
  }

  /** Bytes of memory and of texts: about the size of the segment. */
  get allocatedBytes(): number {
    const columns = [
      ...[this.#vocabulary.terms, this.#postings, this.#trigrams, this.#symbols, this.#symbolOf],
      ...[this.#names, this.#nameKeys, this.#namePassages, this.#starts, this.#ends],
    ];
    const texts = this.#texts?.writtenBytes ?? 0;
    return columns.reduce((sum, { allocatedBytes: heldBytes }) => sum + heldBytes, texts);
  }

  /** Adds a new content: its text, the text in passages, and the bytes that it was decoded from. */
  add(oid: string, chunkingKey: string, text: string, chunked: ChunkedFile, bytes: Uint8Array): void {
    this.#blobs.add(oid, this.#chunkingKeys.number(chunkingKey));
    this.#trigrams.addBlob(bytes);
    this.#languageOf.push(this.#languages.number(chunked.language));
    this.#lineCounts.push(chunked.lineCount);
    this.#firstPassages.push(this.passageCount);
    for (const passage of chunked.passages) this.#addPassage(text, passage);
  }

  /** Adds a content that is skipped at all paths of this chunking key. */
  skip(oid: string, chunkingKey: string, reason: SkipReason): void {
    this.#skipped.add(oid, this.#chunkingKeys.number(chunkingKey));
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

  /** Completes the sections. Yields to the event loop, and throws the signal's reason when aborted. */
  async finish(signal?: AbortSignal): Promise<SectionDraft> {
    const draft = createDraft();
    draft.facts.chunkingKeys = this.#chunkingKeys.texts();
    draft.facts.languages = this.#languages.texts();
    draft.facts.reasons = this.#reasons.texts();
    this.#blobs.writeTo(draft, 'blobs');
    await this.#trigrams.writeTo(draft, signal);
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
    this.#skipped.writeTo(draft, 'skipped');
    addSection(draft, 'skipped.reasons', this.#reasonOf);
    await this.#postings.writeTo(draft, 'passages', this.#vocabulary.terms, signal);
    this.#texts?.finish(draft);
    return draft;
  }
}

/** Hashes of blobs and their chunking keys. */
class BlobColumns {
  readonly #oids = new ChunkedUint8Array();
  readonly #keyOf = new ChunkedUint32Array();

  get count(): number {
    return this.#keyOf.length;
  }

  add(oid: string, chunkingKey: number): void {
    this.#oids.append(Buffer.from(oid, 'hex'));
    this.#keyOf.push(chunkingKey);
  }

  writeTo(draft: SectionDraft, name: string): void {
    addSection(draft, `${name}.oids`, this.#oids);
    addSection(draft, `${name}.chunkingKeys`, this.#keyOf);
  }
}

/** Names that a definition is found by: the full name and its last part, in lower case. */
function lookupNames(name: string): string[] {
  const full = name.toLowerCase();
  return [full, full.slice(full.lastIndexOf('.') + 1)];
}
