import { upperBound } from '../bytes/binary-search.ts';
import { findOid, sortOids } from '../bytes/oids.ts';
import { type PageCache, SectionFile } from '../bytes/section-file.ts';
import { VarintReader } from '../bytes/varint.ts';
import { filterBytes, filterContains } from './bigram-filter.ts';
import { BLOCK_KIND, type HunkRecord, LEAF_SIZE } from './block-writer.ts';
import type { FileHunks, HunkLocation, SkipCounts } from './hunk.ts';
import { PatchReader } from './patch-store.ts';

/** A term of a block: the number of its hunks, and its postings as `BlockWriter` describes them, read on access. */
export interface BlockTerm {
  readonly hunks: number;
  readonly postings: Buffer;
}

/** A hunk of the hunk table, without its lengths. */
type PositionedHunk = Omit<HunkRecord, 'added' | 'removed'>;

/**
 * An open block. It keeps in memory one key in 64, the offsets of hunk pages and the first hunk of each commit; all else
 * is read on demand.
 */
export class Block {
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
  /** Sums over all hunks of the terms that were added and removed. */
  readonly added: number;
  readonly removed: number;
  readonly skipCounts: SkipCounts;
  readonly commitCount: number;
  readonly patches: PatchReader;
  readonly #file: SectionFile;
  readonly #leafKeys: Float64Array;
  readonly #leaves: Uint32Array;
  readonly #pages: Uint32Array;
  readonly #firstHunks: Uint32Array;
  readonly #oidBytes: number;
  /** Null in a block that was written before hunks had filters. */
  readonly #filterPages: Uint32Array | null;
  #paths: string[] | null = null;
  /** Hashes of all commits, and their numbers in the order of the hashes. */
  #byOid: { oids: Uint8Array; order: Uint32Array } | null = null;
  /** The page that was read last: consecutive lookups often hit the same one. */
  #lastPage: { page: number; hunks: PositionedHunk[] } | null = null;

  /** Opens a block. Throws `index_rebuilding` when it can't be used. */
  constructor(path: string, name: string, cache: PageCache) {
    this.name = name;
    const file = new SectionFile(path, BLOCK_KIND, cache);
    this.#file = file;
    this.bytes = file.bytes;
    try {
      this.count = file.facts.hunks as number;
      this.added = file.facts.added as number;
      this.removed = file.facts.removed as number;
      this.skipCounts = JSON.parse(file.facts.skipped as string) as SkipCounts;
      this.#oidBytes = file.facts.oidBytes as number;
      this.#leafKeys = file.readF64('leafKeys');
      this.#leaves = file.readU32('leaves');
      this.#pages = file.readU32('pages');
      this.#firstHunks = file.readU32('firstHunks');
      this.#filterPages = file.sectionNames.includes('filterPages') ? file.readU32('filterPages') : null;
      this.commitCount = file.section('oids').bytes / this.#oidBytes;
      this.patches = new PatchReader(file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** False for a block of an earlier format, which can be read but not merged. */
  get isCurrent(): boolean {
    return this.#filterPages !== null;
  }

  /** Finds a term; null when no hunk has it. */
  term(key: number): BlockTerm | null {
    const leaf = upperBound(this.#leafKeys, key) - 1;
    if (leaf < 0) return null;
    for (const term of this.#leaf(leaf)) {
      if (term.key === key) return this.#term(term);
      if (term.key > key) return null;
    }
    return null;
  }

  /** Iterates over all terms in the order of their keys. */
  *terms(): Generator<BlockTerm & { key: number }, void, undefined> {
    for (let leaf = 0; leaf < this.#leaves.length; leaf++) {
      for (const term of this.#leaf(leaf)) yield this.#term(term);
    }
  }

  /** Encoded lengths of the hunks from `from` to before `to`: two bytes each, added and removed. */
  lengths(from: number, to: number): Buffer {
    return this.#file.read(this.#file.section('lengths').offset + from * 2, (to - from) * 2);
  }

  /** False when no changed line of the hunk has all these bigrams. */
  mayContain(hunk: number, bigrams: readonly number[]): boolean {
    const start = this.#filterPages?.[Math.floor(hunk / LEAF_SIZE)];
    if (start === undefined || bigrams.length === 0) return true;
    const lengths = this.lengths(hunk - (hunk % LEAF_SIZE), hunk + 1);
    const own = lengths.length - 2;
    let offset = this.#file.section('filters').offset + start;
    for (let i = 0; i < own; i += 2) offset += filterBytes(lengths[i]!, lengths[i + 1]!);
    const bytes = filterBytes(lengths[own]!, lengths[own + 1]!);
    return filterContains(this.#file.read(offset, bytes), bigrams);
  }

  /** The filters of all hunks, for a block that this one is merged into. */
  filters(): Buffer {
    return this.#file.readSection('filters');
  }

  /** Resolves the commit, paths and lines of a hunk. */
  locate(hunk: number): HunkLocation {
    const { commit, oldStart, oldLines, newStart, newLines, ...paths } = this.#hunk(hunk);
    const [path, oldPath] = [this.paths()[paths.path]!, this.paths()[paths.oldPath]!];
    return { oid: this.oid(commit), path, oldPath, oldStart, oldLines, newStart, newLines };
  }

  /** The commit that a hunk belongs to, as a number of this block. */
  commitOf(hunk: number): number {
    return upperBound(this.#firstHunks, hunk) - 1;
  }

  /** Hunks of a commit of the block in a file, by its new name. */
  hunksOf(commit: number, path: string): FileHunks {
    const end = this.#firstHunks[commit + 1] ?? this.count;
    const found: FileHunks = { oldPath: path, hunks: [] };
    for (let hunk = this.#firstHunks[commit] ?? end; hunk < end; hunk++) {
      const position = this.#hunk(hunk);
      if (this.paths()[position.path] !== path) continue;
      found.oldPath = this.paths()[position.oldPath]!;
      found.hunks.push(position);
    }
    return found;
  }

  /** Iterates over all hunks, without their lengths. */
  *hunks(): Generator<PositionedHunk, void, undefined> {
    for (let page = 0; page < this.#pages.length; page++) {
      yield* this.#readPage(page);
    }
  }

  /** Finds the number of a commit by its full hash; -1 when absent. */
  find(oid: string): number {
    if (this.#byOid === null) {
      const oids = new Uint8Array(this.#file.readSection('oids'));
      this.#byOid = { oids, order: sortOids(oids, this.#oidBytes) };
    }
    const { oids, order } = this.#byOid;
    return findOid(oids, this.#oidBytes, order, Buffer.from(oid, 'hex'));
  }

  oid(commit: number): string {
    const { offset } = this.#file.section('oids');
    return this.#file.read(offset + commit * this.#oidBytes, this.#oidBytes).toString('hex');
  }

  /** Raw hashes of all commits. */
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

  /** Reads and checks the whole block. Throws `index_rebuilding` when any of it is damaged. */
  verify(): void {
    this.#file.verify();
  }

  close(): void {
    this.#file.close();
  }

  *#leaf(leaf: number) {
    const section = this.#file.section('terms');
    const start = this.#leaves[leaf]!;
    const end = this.#leaves[leaf + 1] ?? section.bytes;
    const reader = new VarintReader(this.#file.read(section.offset + start, end - start));
    let offset = reader.read();
    let key = 0;
    while (!reader.isAtEnd) {
      key += reader.read();
      const hunks = reader.read();
      const length = reader.read();
      yield { key, hunks, offset, length };
      offset += length;
    }
  }

  #term({ key, hunks, offset, length }: { key: number; hunks: number; offset: number; length: number }) {
    const file = this.#file;
    return {
      key,
      hunks,
      get postings() {
        return file.read(file.section('postings').offset + offset, length);
      },
    };
  }

  #readPage(page: number): PositionedHunk[] {
    const { offset, bytes } = this.#file.section('hunks');
    const start = this.#pages[page];
    if (start === undefined) throw new RangeError(`Block ${this.name} has no hunk page ${page}.`);
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
