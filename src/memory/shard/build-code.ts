import type { SkipReason } from '#contract/projects.ts';
import type { CutFile, Passage } from '../chunk/passages.ts';
import { setGroups } from './build-commits.ts';
import { DictionaryBuilder } from './dictionary.ts';
import { addSection, type Draft, newDraft } from './format.ts';
import { GrowingBytes, GrowingNumbers, group } from './growing.ts';
import { IndexBuilder } from './postings.ts';
import { StringsBuilder } from './strings.ts';
import { Vocabulary } from './vocabulary.ts';

/** Collects a revision's files for the code file of a shard: blobs with their passages, and paths that show them. */
export class CodeBuilder {
  readonly #vocabulary = new Vocabulary();
  readonly #fields = { body: new IndexBuilder(), symbol: new IndexBuilder(), prose: new IndexBuilder() };
  readonly #pathIndex = new IndexBuilder();
  readonly #fileIndex = new IndexBuilder();
  readonly #paths = new DictionaryBuilder();
  /** Path of every file, and the first file at every path: with several revisions a path may show several contents. */
  readonly #pathOf = new GrowingNumbers();
  readonly #fileAt = new GrowingNumbers();
  readonly #blobOf = new GrowingNumbers();
  readonly #languages = new DictionaryBuilder();
  readonly #languageOf = new GrowingNumbers();
  /** Number of each blob and the first file that showed it. */
  readonly #blobs = new Map<string, { blob: number; file: number }>();
  readonly #oids = new GrowingBytes();
  readonly #lineCounts = new GrowingNumbers();
  readonly #firstPassages = new GrowingNumbers();
  readonly #passageBlobs = new GrowingNumbers();
  readonly #starts = new GrowingNumbers();
  readonly #ends = new GrowingNumbers();
  readonly #symbols = new DictionaryBuilder();
  /** Number of the symbol plus one; 0 is none. */
  readonly #symbolOf = new GrowingNumbers();
  readonly #names = new DictionaryBuilder();
  readonly #nameKeys = new GrowingNumbers();
  readonly #namePassages = new GrowingNumbers();
  readonly #skippedPaths = new StringsBuilder();
  readonly #skippedReasons = new DictionaryBuilder();
  readonly #skippedReasonOf = new GrowingNumbers();
  readonly #skippedSizes: number[] = [];

  get fileCount(): number {
    return this.#pathOf.length;
  }

  get passageCount(): number {
    return this.#starts.length;
  }

  /** Whether this content was added already, so that a further path need not cut it again. */
  hasBlob(oid: string): boolean {
    return this.#blobs.has(oid);
  }

  /** Adds a file with new content. */
  add(path: string, oid: string, text: string, cut: CutFile): void {
    const blob = this.#blobs.size;
    this.#blobs.set(oid, { blob, file: this.fileCount });
    this.#oids.append(Buffer.from(oid, 'hex'));
    this.#lineCounts.push(cut.lineCount);
    this.#firstPassages.push(this.passageCount);
    for (const passage of cut.passages) this.#addPassage(blob, text, passage);
    this.#fileIndex.close();
    this.#addPath(path, blob, this.#languages.number(cut.language));
  }

  /** Adds another path of content that is known. */
  addPath(path: string, oid: string): void {
    const { blob, file } = this.#blobs.get(oid)!;
    this.#fileIndex.closeAs(file);
    this.#addPath(path, blob, this.#languageOf.at(file));
  }

  skip(path: string, reason: SkipReason, size: number | null): void {
    this.#skippedPaths.add(path);
    this.#skippedReasonOf.push(this.#skippedReasons.number(reason));
    this.#skippedSizes.push(size ?? Number.NaN);
  }

  #addPath(path: string, blob: number, language: number): void {
    const number = this.#paths.number(path);
    if (number === this.#fileAt.length) this.#fileAt.push(this.fileCount);
    this.#pathOf.push(number);
    this.#blobOf.push(blob);
    this.#languageOf.push(language);
    this.#vocabulary.read(path, [this.#pathIndex]);
    this.#pathIndex.close();
  }

  #addPassage(blob: number, text: string, { start, end, symbol, defines, runs }: Passage): void {
    const { body, prose } = this.#fields;
    const passage = this.passageCount;
    this.#passageBlobs.push(blob);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#symbolOf.push(symbol === null ? 0 : this.#symbols.number(symbol) + 1);
    for (const run of runs) {
      this.#vocabulary.read(text, [run.prose ? prose : body, this.#fileIndex], run.from, run.to);
    }
    const names = new Set(symbol === null ? defines : [symbol, ...defines]);
    for (const name of names) this.#vocabulary.read(name, [this.#fields.symbol]);
    for (const name of new Set(defines.flatMap(searchedNames))) {
      this.#nameKeys.push(this.#names.number(name));
      this.#namePassages.push(passage);
    }
    for (const field of Object.values(this.#fields)) field.close();
  }

  /** The finished sections; `revision` is the commit whose tree was read. */
  finish(revision: string): Draft {
    const draft = newDraft();
    const { facts } = draft;
    facts.revision = revision;
    facts.oidBytes = this.#oids.length / (this.#blobs.size || 1);
    facts.languages = this.#languages.texts();
    facts.skipReasons = this.#skippedReasons.texts();
    this.#paths.writeTo(draft, 'paths');
    addSection(draft, 'pathOf', this.#pathOf);
    addSection(draft, 'fileAt', this.#fileAt);
    addSection(draft, 'blobOf', this.#blobOf);
    addSection(draft, 'languageOf', this.#languageOf);
    addSection(draft, 'blobs.oids', this.#oids);
    addSection(draft, 'blobs.lines', this.#lineCounts);
    this.#firstPassages.push(this.passageCount);
    addSection(draft, 'blobs.passages', this.#firstPassages);
    const files = new GrowingNumbers();
    for (let file = 0; file < this.fileCount; file++) files.push(file);
    setGroups(draft, 'blobs.files', group(this.#blobOf, files, this.#blobs.size));
    addSection(draft, 'passages.blobs', this.#passageBlobs);
    addSection(draft, 'passages.starts', this.#starts);
    addSection(draft, 'passages.ends', this.#ends);
    addSection(draft, 'passages.symbols', this.#symbolOf);
    this.#symbols.writeTo(draft, 'symbols');
    this.#names.writeTo(draft, 'names');
    setGroups(draft, 'defining', group(this.#nameKeys, this.#namePassages, this.#names.size));
    this.#skippedPaths.writeTo(draft, 'skipped.paths');
    addSection(draft, 'skipped.reasons', this.#skippedReasonOf);
    addSection(draft, 'skipped.sizes', new Float64Array(this.#skippedSizes));
    this.#vocabulary.writeTo(draft, 'terms');
    const indexes = { ...this.#fields, path: this.#pathIndex, file: this.#fileIndex };
    for (const [name, index] of Object.entries(indexes)) index.writeTo(draft, name, this.#vocabulary.size);
    return draft;
  }
}

/** A definition is asked for by its full name or by the last part of it, without case. */
function searchedNames(name: string): string[] {
  const full = name.toLowerCase();
  return [full, full.slice(full.lastIndexOf('.') + 1)];
}
