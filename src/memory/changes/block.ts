import { AppError } from '#contract/errors.ts';
import { findOid, sortOids } from '../bytes/oids.ts';
import { type PageCache, PagedFile, toArrayBuffer } from '../bytes/paged-file.ts';
import { VarintReader } from '../bytes/varint.ts';
import { BLOCK_KIND, type HunkRecord, LEAF_SIZE } from './block-writer.ts';
import type { HunkLocation, SkipCounts } from './hunk.ts';
import { PatchReader } from './patch-store.ts';

/** A term of a block: how many hunks have it, and its postings as `BlockWriter` describes them, read when asked for. */
export interface BlockTerm {
  readonly hunks: number;
  readonly postings: Buffer;
}

/** A hunk of the table: commit and paths are numbers. */
type PositionedHunk = Omit<HunkRecord, 'added' | 'removed'>;

/**
 * An opened block. It keeps in memory one key of 64, the places of hunk pages and the first hunk of
 * each commit; all else is read when asked for.
 */
export class Block {
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
  /** Terms that came and that went in all hunks together. */
  readonly added: number;
  readonly removed: number;
  readonly skipCounts: SkipCounts;
  readonly commitCount: number;
  readonly patches: PatchReader;
  readonly #file: PagedFile;
  readonly #leafKeys: Float64Array;
  readonly #leaves: Uint32Array;
  readonly #pages: Uint32Array;
  readonly #firsts: Uint32Array;
  readonly #oidBytes: number;
  #paths: string[] | null = null;
  /** Hashes of all commits, and their numbers in the order of them. */
  #byOid: { oids: Uint8Array; order: Uint32Array } | null = null;
  /** Hunks that are asked for one after the other often lie on one page. */
  #lastPage: { page: number; hunks: PositionedHunk[] } | null = null;

  /** Opens a block; throws `index_rebuilding` when it can't be used. */
  constructor(path: string, name: string, cache: PageCache) {
    this.name = name;
    const file = new PagedFile(path, BLOCK_KIND, cache);
    this.#file = file;
    this.bytes = file.bytes;
    try {
      this.count = file.facts.hunks as number;
      this.added = file.facts.added as number;
      this.removed = file.facts.removed as number;
      this.skipCounts = JSON.parse(file.facts.left as string) as SkipCounts;
      this.#oidBytes = file.facts.oidBytes as number;
      this.#leafKeys = new Float64Array(toArrayBuffer(file.readSection('leafKeys')));
      this.#leaves = new Uint32Array(toArrayBuffer(file.readSection('leaves')));
      this.#pages = new Uint32Array(toArrayBuffer(file.readSection('pages')));
      this.#firsts = new Uint32Array(toArrayBuffer(file.readSection('firsts')));
      this.commitCount = file.section('oids').bytes / this.#oidBytes;
      this.patches = new PatchReader(file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** The hunks that have a term, or null. */
  term(key: number): BlockTerm | null {
    const leaf = countUpTo(this.#leafKeys, key) - 1;
    if (leaf < 0) return null;
    for (const term of this.#leaf(leaf)) {
      if (term.key === key) return this.#term(term);
      if (term.key > key) return null;
    }
    return null;
  }

  /** All terms in the order of their keys. */
  *terms(): Generator<BlockTerm & { key: number }, void, undefined> {
    for (let leaf = 0; leaf < this.#leaves.length; leaf++) {
      for (const term of this.#leaf(leaf)) yield this.#term(term);
    }
  }

  /** Codes of the lengths of hunks `from` up to, without, `to`: two bytes each, came and went. */
  lengths(from: number, to: number): Buffer {
    return this.#file.read(this.#file.section('lengths').offset + from * 2, (to - from) * 2);
  }

  /** Where a hunk is. */
  locate(hunk: number): HunkLocation {
    const { commit, oldStart, oldLines, newStart, newLines, ...raw } = this.#hunk(hunk);
    const [path, oldPath] = [this.paths()[raw.path]!, this.paths()[raw.oldPath]!];
    return { oid: this.oid(commit), path, oldPath, oldStart, oldLines, newStart, newLines };
  }

  /** The commit that a hunk belongs to, as a number of this block. */
  commitOf(hunk: number): number {
    return countUpTo(this.#firsts, hunk) - 1;
  }

  /** All hunks as they lie here, without lengths. */
  *hunks(): Generator<PositionedHunk, void, undefined> {
    for (let page = 0; page < this.#pages.length; page++) {
      yield* this.#readPage(page);
    }
  }

  /** The number of a commit by its full hash, or -1. */
  find(oid: string): number {
    if (this.#byOid === null) {
      const oids = new Uint8Array(toArrayBuffer(this.#file.readSection('oids')));
      this.#byOid = { oids, order: sortOids(oids, this.#oidBytes) };
    }
    const { oids, order } = this.#byOid;
    return findOid(oids, this.#oidBytes, order, Buffer.from(oid, 'hex'));
  }

  oid(commit: number): string {
    const { offset } = this.#file.section('oids');
    return this.#file.read(offset + commit * this.#oidBytes, this.#oidBytes).toString('hex');
  }

  /** Raw hashes of all commits that were read. */
  oids(): { oids: Buffer; oidBytes: number } {
    return { oids: this.#file.readSection('oids'), oidBytes: this.#oidBytes };
  }

  #hunk(hunk: number): PositionedHunk {
    const page = Math.floor(hunk / LEAF_SIZE);
    if (this.#lastPage?.page !== page) this.#lastPage = { page, hunks: this.#readPage(page) };
    return this.#lastPage.hunks[hunk % LEAF_SIZE]!;
  }

  paths(): string[] {
    this.#paths ??= this.#file.readSection('paths').toString('utf8').split('\0').slice(0, -1);
    return this.#paths;
  }

  /** Reads all of the block; throws `index_rebuilding` when any of it is damaged. */
  verify(): void {
    this.#file.verify();
  }

  close(): void {
    this.#file.close();
  }

  *#leaf(leaf: number) {
    const { offset, bytes } = this.#file.section('terms');
    const start = this.#leaves[leaf]!;
    const end = this.#leaves[leaf + 1] ?? bytes;
    const reader = new VarintReader(this.#file.read(offset + start, end - start));
    let place = reader.read();
    let key = 0;
    while (!reader.done) {
      key += reader.read();
      const hunks = reader.read();
      const length = reader.read();
      yield { key, hunks, place, length };
      place += length;
    }
  }

  #term({ key, hunks, place, length }: { key: number; hunks: number; place: number; length: number }) {
    const file = this.#file;
    return {
      key,
      hunks,
      get postings() {
        return file.read(file.section('postings').offset + place, length);
      },
    };
  }

  #readPage(page: number): PositionedHunk[] {
    const { offset, bytes } = this.#file.section('hunks');
    const start = this.#pages[page];
    if (start === undefined) throw new AppError('internal', `Block ${this.name} has no hunk page ${page}.`);
    const end = this.#pages[page + 1] ?? bytes;
    const reader = new VarintReader(this.#file.read(offset + start, end - start));
    let commit = reader.read();
    let [path, oldPath, before] = [0, 0, 0];
    return Array.from({ length: Math.min(LEAF_SIZE, this.count - page * LEAF_SIZE) }, () => {
      const flags = reader.read();
      commit += flags >>> 2;
      if (flags & 2) {
        path = reader.read();
        oldPath = flags & 1 ? reader.read() : path;
        before = 0;
      }
      const oldStart = before + reader.readSigned();
      const oldLines = reader.read();
      before = oldStart + oldLines;
      return { commit, path, oldPath, oldStart, oldLines, newStart: reader.read(), newLines: reader.read() };
    });
  }
}

/** How many of the rising numbers are not above `limit`. */
function countUpTo(numbers: Float64Array | Uint32Array, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
