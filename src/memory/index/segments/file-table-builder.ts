import type { SkipReason } from '#contract/projects.ts';
import { ChunkedUint32Array } from '../../bytes/chunked-arrays.ts';
import { DictionaryBuilder } from '../../bytes/dictionary.ts';
import { addGroups, groupByKey } from '../../bytes/groups.ts';
import { addSection, createDraft, type SectionDraft } from '../../bytes/sections.ts';
import { StringListBuilder } from '../../bytes/string-list.ts';
import { PostingsBuilder } from './postings-builder.ts';
import { Vocabulary } from './vocabulary.ts';

/** Skipped files that are listed with their paths; the coverage counts all of them. */
export const MAX_LISTED_SKIPS = 100_000;

/**
 * Collects the files of a revision: the content at every path, and the skipped files. Contents are numbered
 * consecutively over all segments; visible ones get numbers of their own, in the order of their files.
 */
export class FileTableBuilder {
  readonly #vocabulary = new Vocabulary();
  readonly #words = new PostingsBuilder(1);
  readonly #paths = new DictionaryBuilder();
  /** Path of every file, and the first file at every path: a superset of revisions may have several there. */
  readonly #pathOf = new ChunkedUint32Array();
  readonly #fileAt = new ChunkedUint32Array();
  readonly #blobOf = new ChunkedUint32Array();
  readonly #visible = new Map<number, number>();
  readonly #skippedPaths = new StringListBuilder();
  readonly #reasons = new DictionaryBuilder();
  readonly #reasonOf = new ChunkedUint32Array();
  readonly #sizes: number[] = [];

  get fileCount(): number {
    return this.#pathOf.length;
  }

  /** Numbers of all visible contents. */
  contents(): Iterable<number> {
    return this.#visible.keys();
  }

  /** Adds a file; `content` is its number in the segments. */
  add(path: string, content: number): void {
    const number = this.#paths.number(path);
    if (number === this.#fileAt.length) this.#fileAt.push(this.fileCount);
    this.#pathOf.push(number);
    const blob = this.#visible.get(content) ?? this.#visible.size;
    this.#visible.set(content, blob);
    this.#blobOf.push(blob);
    this.#vocabulary.addText(path, this.#words, 0);
    this.#words.endDocument();
  }

  /** Adds a skipped file; `size` in bytes where it is known. */
  skip(path: string, reason: SkipReason, size: number | null): void {
    if (this.#sizes.length === MAX_LISTED_SKIPS) return;
    this.#skippedPaths.add(path);
    this.#reasonOf.push(this.#reasons.number(reason));
    this.#sizes.push(size ?? Number.NaN);
  }

  /** Completes the sections; `segments` are the file names of the segments in their order. */
  async finish(revision: string, segments: string[], signal?: AbortSignal): Promise<SectionDraft> {
    const draft = createDraft();
    draft.facts.revision = revision;
    draft.facts.segments = segments;
    draft.facts.reasons = this.#reasons.texts();
    this.#paths.writeTo(draft, 'paths');
    addSection(draft, 'files.paths', this.#pathOf);
    addSection(draft, 'paths.files', this.#fileAt);
    addSection(draft, 'files.blobs', this.#blobOf);
    addSection(draft, 'blobs.contents', Uint32Array.from(this.#visible.keys()));
    const files = new ChunkedUint32Array();
    for (let file = 0; file < this.fileCount; file++) files.push(file);
    addGroups(draft, 'blobs.files', groupByKey(this.#blobOf, files, this.#visible.size));
    await this.#words.writeTo(draft, 'paths', this.#vocabulary.terms, signal);
    this.#skippedPaths.writeTo(draft, 'skipped.paths');
    addSection(draft, 'skipped.reasons', this.#reasonOf);
    addSection(draft, 'skipped.sizes', new Float64Array(this.#sizes));
    return draft;
  }
}
