import type { SkipReason } from '#contract/projects.ts';
import { addGroups, ChunkedUint32Array, groupByKey } from '../../bytes/chunked-arrays.ts';
import { addSection, type Draft, newDraft } from '../../bytes/container.ts';
import { DictionaryBuilder } from '../../bytes/dictionary.ts';
import { StringListBuilder } from '../../bytes/string-list.ts';
import { PostingsBuilder } from './postings-builder.ts';
import { Vocabulary } from './vocabulary.ts';

/** Files left out that are listed with their paths; the coverage counts all of them. */
const MAX_LISTED_SKIPS = 100_000;

/**
 * Collects what a revision shows of the contents in its segments: which content lies at which path, and what was
 * left out. Contents count on from segment to segment; those shown are numbered anew, in the order of their files.
 */
export class FileTableBuilder {
  readonly #vocabulary = new Vocabulary();
  readonly #words = new PostingsBuilder(1);
  readonly #paths = new DictionaryBuilder();
  /** Path of every file, and the first file at every path: several revisions together may show several there. */
  readonly #pathOf = new ChunkedUint32Array();
  readonly #fileAt = new ChunkedUint32Array();
  readonly #blobOf = new ChunkedUint32Array();
  readonly #shown = new Map<number, number>();
  readonly #skippedPaths = new StringListBuilder();
  readonly #reasons = new DictionaryBuilder();
  readonly #reasonOf = new ChunkedUint32Array();
  readonly #sizes: number[] = [];

  get fileCount(): number {
    return this.#pathOf.length;
  }

  /** Numbers of all contents that some file shows. */
  contents(): Iterable<number> {
    return this.#shown.keys();
  }

  /** Adds a file; `content` is its number in the segments. */
  add(path: string, content: number): void {
    const number = this.#paths.number(path);
    if (number === this.#fileAt.length) this.#fileAt.push(this.fileCount);
    this.#pathOf.push(number);
    const blob = this.#shown.get(content) ?? this.#shown.size;
    this.#shown.set(content, blob);
    this.#blobOf.push(blob);
    this.#vocabulary.addText(path, this.#words, 0);
    this.#words.endDocument();
  }

  /** Adds a file that is left out; `size` in bytes where it is known. */
  skip(path: string, reason: SkipReason, size: number | null): void {
    if (this.#sizes.length === MAX_LISTED_SKIPS) return;
    this.#skippedPaths.add(path);
    this.#reasonOf.push(this.#reasons.number(reason));
    this.#sizes.push(size ?? Number.NaN);
  }

  /** The finished sections; `segments` are the names of the segments' files in their order. */
  finish(revision: string, segments: string[]): Draft {
    const draft = newDraft();
    draft.facts.revision = revision;
    draft.facts.segments = segments;
    draft.facts.reasons = this.#reasons.texts();
    this.#paths.writeTo(draft, 'paths');
    addSection(draft, 'files.paths', this.#pathOf);
    addSection(draft, 'paths.files', this.#fileAt);
    addSection(draft, 'files.blobs', this.#blobOf);
    addSection(draft, 'blobs.contents', Uint32Array.from(this.#shown.keys()));
    const files = new ChunkedUint32Array();
    for (let file = 0; file < this.fileCount; file++) files.push(file);
    addGroups(draft, 'blobs.files', groupByKey(this.#blobOf, files, this.#shown.size));
    this.#words.writeTo(draft, 'paths', this.#vocabulary.terms);
    this.#skippedPaths.writeTo(draft, 'skipped.paths');
    addSection(draft, 'skipped.reasons', this.#reasonOf);
    addSection(draft, 'skipped.sizes', new Float64Array(this.#sizes));
    return draft;
  }
}
