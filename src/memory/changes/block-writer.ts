import { ChunkedUint8Array, ChunkedUint32Array } from '../bytes/chunked-arrays.ts';
import { PagedWriter } from '../bytes/paged-file.ts';
import { VarintWriter } from '../bytes/varint.ts';
import { encodeLength, type SkipCounts } from './hunk.ts';

export const BLOCK_KIND = 'hunks with patches';
/** Terms of a leaf of the dictionary, and hunks of a page of the hunk table: what is read to find one. */
export const LEAF_SIZE = 64;

/** A hunk as it lies in a block: commit and paths are numbers of the block. */
export interface HunkRecord {
  commit: number;
  path: number;
  /** The name before a rename, otherwise `path`. */
  oldPath: number;
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Terms that came and went. */
  added: number;
  removed: number;
}

/**
 * Writes a block: all terms in the order of their keys, then all hunks, then commits and paths.
 *
 *     postings  a term's hunks, rising: varint (difference << 3 | sides); the first counts from 0.
 *               sides = a + 3r - 1, where a and r say how often the term came and went: 0, 1, or 2 for more
 *     terms     leaves of 64: varint place of the first postings, then for each term
 *               varint (key - the one before, the first from 0), varint hunks, varint bytes of its postings
 *     leafKeys  f64 first key of every leaf          leaves  u32 where each begins in `terms`
 *     hunks     pages of 64: varint commit of the first, then for each hunk
 *               varint flags (1: commits further << 2 | 2: another path | 1: it was renamed), [path, [old path]],
 *               old start as a signed difference to the end of the hunk before in the page, old lines, new start, new lines
 *     pages     u32 where each page begins in `hunks`
 *     firsts    u32 the first hunk of every commit, or of the next one that has any
 *     lengths   two bytes a hunk: `lengthCode` of its terms that came, and that went
 *     oids      of all commits that were read, also of those that changed no text
 *     paths     UTF-8, each ended by NUL
 *     and the sections of `patches.ts`
 */
export class BlockWriter {
  readonly #file: PagedWriter;
  readonly #terms = new VarintWriter();
  readonly #termBytes = new ChunkedUint8Array();
  readonly #leafKeys: number[] = [];
  readonly #leaves: number[] = [];
  readonly #pages = new ChunkedUint32Array();
  readonly #firsts = new ChunkedUint32Array();
  readonly #lengths = new ChunkedUint8Array();
  readonly #hunks = new VarintWriter();
  #hunksWritten = 0;
  #termCount = 0;
  #hunkCount = 0;
  #key = 0;
  #last: HunkRecord | null = null;
  #added = 0;
  #removed = 0;

  constructor(path: string) {
    this.#file = new PagedWriter(path);
  }

  /** Adds the next term; `postings` as described above. */
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
    this.#termBytes.append(terms.written());
    this.#file.write(postings);
  }

  /** Ends the terms; hunks follow. */
  endTerms(): void {
    this.#file.endSection('postings');
    this.#section('terms', this.#termBytes.chunks());
    this.#section('leafKeys', [bytesOf(Float64Array.from(this.#leafKeys))]);
    this.#section('leaves', [bytesOf(Uint32Array.from(this.#leaves))]);
  }

  /** Adds the next hunk; commits rise from hunk to hunk. */
  addHunk(hunk: HunkRecord): void {
    const out = this.#hunks;
    while (this.#firsts.length <= hunk.commit) this.#firsts.push(this.#hunkCount);
    if (this.#hunkCount++ % LEAF_SIZE === 0) {
      this.#writeHunks();
      this.#pages.push(this.#hunksWritten);
      out.write(hunk.commit);
      this.#last = null;
    }
    const last = this.#last;
    const further = last === null ? 0 : hunk.commit - last.commit;
    const isOther = last === null || further > 0 || hunk.path !== last.path || hunk.oldPath !== last.oldPath;
    const isRenamed = hunk.path !== hunk.oldPath;
    out.write((further << 2) | (isOther ? 2 : 0) | (isOther && isRenamed ? 1 : 0));
    if (isOther) {
      out.write(hunk.path);
      if (isRenamed) out.write(hunk.oldPath);
    }
    const before = isOther || last === null ? 0 : last.oldStart + last.oldLines;
    out.writeSigned(hunk.oldStart - before);
    out.write(hunk.oldLines);
    out.write(hunk.newStart);
    out.write(hunk.newLines);
    this.#last = hunk;
    this.#lengths.push(encodeLength(hunk.added));
    this.#lengths.push(encodeLength(hunk.removed));
    this.#added += hunk.added;
    this.#removed += hunk.removed;
  }

  /**
   * Ends the block with what `writePatches` adds; returns its size in bytes. `oids` are raw, `oidBytes` wide, in the
   * order of commit numbers.
   */
  finish(
    commits: { oids: Uint8Array[]; oidBytes: number },
    paths: Iterable<string>,
    left: SkipCounts,
    writePatches: (file: PagedWriter) => void,
  ): number {
    this.#writeHunks();
    this.#file.endSection('hunks');
    this.#section('pages', this.#pages.chunks().map(bytesOf));
    this.#section('firsts', this.#firsts.chunks().map(bytesOf));
    this.#section('lengths', this.#lengths.chunks());
    this.#section('oids', commits.oids);
    for (const path of paths) this.#file.write(Buffer.from(`${path}\0`));
    this.#file.endSection('paths');
    writePatches(this.#file);
    return this.#file.finish(BLOCK_KIND, {
      hunks: this.#hunkCount,
      terms: this.#termCount,
      oidBytes: commits.oidBytes,
      added: this.#added,
      removed: this.#removed,
      left: JSON.stringify(left),
    });
  }

  abort(): void {
    this.#file.abort();
  }

  #section(name: string, pieces: Uint8Array[]): void {
    for (const piece of pieces) this.#file.write(piece);
    this.#file.endSection(name);
  }

  #writeHunks(): void {
    this.#file.write(this.#hunks.written());
    this.#hunksWritten += this.#hunks.length;
    this.#hunks.clear();
  }
}

function bytesOf(numbers: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
