import { ChunkedUint8Array, ChunkedUint32Array } from '../bytes/chunked-arrays.ts';
import { SectionWriter } from '../bytes/section-writer.ts';
import { asBytes } from '../bytes/sections.ts';
import { VarintWriter } from '../bytes/varint.ts';
import { filterBytes } from './bigram-filter.ts';
import { encodeLength, type SkipCounts } from './hunk.ts';

export const BLOCK_KIND = 'changes';
/** Terms per leaf of the dictionary, and hunks per page of the hunk table: the unit of a lookup. */
export const LEAF_SIZE = 64;

/** A hunk as stored in a block: commit and paths are numbers of the block. */
export interface HunkRecord {
  commit: number;
  path: number;
  /** The name before a rename, otherwise `path`. */
  oldPath: number;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Number of terms that were added and removed. */
  added: number;
  removed: number;
}

/** The rest of a block after its terms and hunks. */
interface BlockContents {
  /** Raw hashes, `oidBytes` wide, in the order of commit numbers. */
  commits: { oids: Uint8Array[]; oidBytes: number };
  paths: Iterable<string>;
  skipCounts: SkipCounts;
  /** Filters of all hunks, in their order. */
  filters: Uint8Array[];
}

/**
 * Writes a block: all terms in the order of their keys, then all hunks, then commits and paths.
 *
 *     postings    a term's hunks, ascending: varint (difference << 3 | sides); the first counts from 0.
 *                 sides = a + 3r - 1, where a and r count how often the term was added and removed: 0, 1, or 2 for more
 *     terms       leaves of 64: varint offset of the first postings, then for each term
 *                 varint (key - previous key, the first from 0), varint hunks, varint bytes of its postings
 *     leafKeys    f64 first key of every leaf          leaves  u32 offset of each in `terms`
 *     hunks       pages of 64: varint commit of the first, then for each hunk
 *                 varint flags (commits skipped << 2 | 2: another path | 1: renamed), [path, [old path]],
 *                 old start as a signed difference to the end of the previous hunk in the page, old lines,
 *                 new start, new lines
 *     pages       u32 offset of each page in `hunks`
 *     firstHunks  u32 the first hunk of every commit, or of the next one that has any
 *     lengths     two bytes a hunk: `encodeLength` of its added and of its removed terms
 *     filters     the filter of every hunk (`bigram-filter.ts`), whose size follows from its lengths
 *     filterPages u32 offset in `filters` of the first hunk of each page
 *     oids        of all commits that were read, also of those that changed no text
 *     paths       UTF-8, each terminated by NUL
 *     and the sections of `patch-store.ts`
 */
export class BlockWriter {
  readonly #file: SectionWriter;
  readonly #terms = new VarintWriter();
  readonly #termBytes = new ChunkedUint8Array();
  readonly #leafKeys: number[] = [];
  readonly #leaves: number[] = [];
  readonly #pages = new ChunkedUint32Array();
  readonly #firstHunks = new ChunkedUint32Array();
  readonly #lengths = new ChunkedUint8Array();
  readonly #filterPages = new ChunkedUint32Array();
  readonly #hunks = new VarintWriter();
  #filterLength = 0;
  #hunksWritten = 0;
  #termCount = 0;
  #hunkCount = 0;
  #key = 0;
  #last: HunkRecord | null = null;
  #added = 0;
  #removed = 0;

  constructor(path: string) {
    this.#file = new SectionWriter(path, BLOCK_KIND);
  }

  /** Adds the next term with its postings in the format above. */
  addTerm(key: number, hunks: number, postings: Uint8Array): void {
    const terms = this.#terms;
    terms.clear();
    if (this.#termCount++ % LEAF_SIZE === 0) {
      this.#leafKeys.push(key);
      this.#leaves.push(this.#termBytes.length);
      terms.write(this.#file.length);
      this.#key = 0;
    }
    terms.write(key - this.#key);
    terms.write(hunks);
    terms.write(postings.length);
    this.#key = key;
    this.#termBytes.append(terms.bytes());
    this.#file.write(postings);
  }

  /** Completes the terms; hunks follow. */
  endTerms(): void {
    this.#file.endSection('postings');
    this.#section('terms', this.#termBytes.chunks());
    this.#section('leafKeys', [asBytes(Float64Array.from(this.#leafKeys))]);
    this.#section('leaves', [asBytes(Uint32Array.from(this.#leaves))]);
  }

  /** Adds the next hunk; commits must be in ascending order. */
  addHunk(hunk: HunkRecord): void {
    const out = this.#hunks;
    while (this.#firstHunks.length <= hunk.commit) this.#firstHunks.push(this.#hunkCount);
    if (this.#hunkCount++ % LEAF_SIZE === 0) {
      this.#writeHunks();
      this.#pages.push(this.#hunksWritten);
      this.#filterPages.push(this.#filterLength);
      out.write(hunk.commit);
      this.#last = null;
    }
    const last = this.#last;
    const skippedCommits = last === null ? 0 : hunk.commit - last.commit;
    const isOtherPath =
      last === null || skippedCommits > 0 || hunk.path !== last.path || hunk.oldPath !== last.oldPath;
    const isRenamed = hunk.path !== hunk.oldPath;
    out.write((skippedCommits << 2) | (isOtherPath ? 2 : 0) | (isOtherPath && isRenamed ? 1 : 0));
    if (isOtherPath) {
      out.write(hunk.path);
      if (isRenamed) out.write(hunk.oldPath);
    }
    const previousEnd = isOtherPath || last === null ? 0 : last.oldStart + last.oldLines;
    out.writeSigned(hunk.oldStart - previousEnd);
    out.write(hunk.oldLines);
    out.write(hunk.newStart);
    out.write(hunk.newLines);
    this.#last = hunk;
    const [added, removed] = [encodeLength(hunk.added), encodeLength(hunk.removed)];
    this.#lengths.push(added);
    this.#lengths.push(removed);
    this.#filterLength += filterBytes(added, removed);
    this.#added += hunk.added;
    this.#removed += hunk.removed;
  }

  /** Completes the block with what `writePatches` adds; returns its size in bytes. */
  finish(
    { commits, paths, skipCounts, filters }: BlockContents,
    writePatches: (file: SectionWriter) => void,
  ): number {
    this.#writeHunks();
    this.#file.endSection('hunks');
    this.#section('pages', this.#pages.chunks().map(asBytes));
    this.#section('firstHunks', this.#firstHunks.chunks().map(asBytes));
    this.#section('lengths', this.#lengths.chunks());
    this.#section('filters', filters);
    this.#section('filterPages', this.#filterPages.chunks().map(asBytes));
    this.#section('oids', commits.oids);
    for (const path of paths) this.#file.write(Buffer.from(`${path}\0`));
    this.#file.endSection('paths');
    writePatches(this.#file);
    return this.#file.finish({
      hunks: this.#hunkCount,
      terms: this.#termCount,
      oidBytes: commits.oidBytes,
      added: this.#added,
      removed: this.#removed,
      skipped: JSON.stringify(skipCounts),
    });
  }

  abort(): void {
    this.#file.abort();
  }

  #section(name: string, chunks: Uint8Array[]): void {
    for (const chunk of chunks) this.#file.write(chunk);
    this.#file.endSection(name);
  }

  #writeHunks(): void {
    this.#file.write(this.#hunks.bytes());
    this.#hunksWritten += this.#hunks.length;
    this.#hunks.clear();
  }
}
