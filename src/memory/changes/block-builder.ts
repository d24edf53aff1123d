import { ChunkedUint8Array, ChunkedUint32Array } from '../bytes/chunked-arrays.ts';
import { VarintWriter } from '../bytes/varint.ts';
import { BigramReader, createFilter, filterBytes } from './bigram-filter.ts';
import { BlockWriter, type HunkRecord } from './block-writer.ts';
import { type ChangeSkipReason, type DiffSide, encodeLength, type SkipCounts } from './hunk.ts';
import { PatchWriter } from './patch-store.ts';
import { pathKey } from './term-keys.ts';
import { TermReader } from './term-reader.ts';

/** Changed lines of one hunk: a match is then close to its lines, and long files weigh like others. */
const MAX_HUNK_LINES = 64;
/** Lines between changes of one hunk: those that git would show as one with three lines of context. */
const MAX_GAP_LINES = 6;
const FIELDS = 9;

type Position = Pick<HunkRecord, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'>;

/** Collects the hunks of some commits in memory until they are written as a block. */
export class BlockBuilder {
  /** The patches of the commits. */
  readonly patches = new PatchWriter();
  readonly #termReader = new TermReader();
  readonly #bigramReader = new BigramReader();
  readonly #paths = new Map<string, number>();
  readonly #pathTerms: number[] = [];
  readonly #oids = new ChunkedUint8Array();
  #oidBytes = 20;
  #commits = 0;
  readonly #skipCounts: SkipCounts = {};
  /** Fields of every hunk, `FIELDS` numbers each. */
  readonly #hunks = new ChunkedUint32Array();
  /** Terms of every hunk with their sides, and the end of each hunk's terms. */
  readonly #terms = new ChunkedUint32Array();
  readonly #sides = new ChunkedUint8Array();
  readonly #ends = new ChunkedUint32Array();
  /** The bigram filters of all hunks. */
  readonly #filters = new ChunkedUint8Array();

  #path = 0;
  #oldPath = 0;
  #open: (Position & { lines: number }) | null = null;
  #openTerms: number[] = [];
  /** Counts of every term in the open hunk: added (0 to 2) plus three times removed (0 to 2). */
  #counts = new Uint8Array(1 << 12);
  #lengths = { added: 0, removed: 0 };
  readonly #sinks = { added: this.#sink('added'), removed: this.#sink('removed') };

  get hunkCount(): number {
    return this.#ends.length;
  }

  get commitCount(): number {
    return this.#commits;
  }

  /** Starts a commit, to which all following changes belong. `oid` is a full hash. */
  beginCommit(oid: string): void {
    this.#endHunk();
    const raw = Buffer.from(oid, 'hex');
    this.#oidBytes = raw.length;
    this.#oids.append(raw);
    this.#commits++;
    this.patches.begin();
  }

  /** Starts the changes of a file; `oldPath` is its name before a rename. */
  beginFile(path: string, oldPath = path): void {
    this.#endHunk();
    this.#path = this.#pathNumber(path);
    this.#oldPath = this.#pathNumber(oldPath);
  }

  /** Counts changes that are read in part or not at all. */
  skip(reason: ChangeSkipReason, count = 1): void {
    this.#skipCounts[reason] = (this.#skipCounts[reason] ?? 0) + count;
  }

  /** Adds a changed line without its sign; `oldLine` and `newLine` are its positions on both sides. */
  addLine(side: DiffSide, oldLine: number, newLine: number, bytes: Buffer, from: number, to: number): void {
    const hunk = this.#openHunkAt(oldLine, newLine);
    if (side === 'added') hunk.newLines = newLine + 1 - hunk.newStart;
    else hunk.oldLines = oldLine + 1 - hunk.oldStart;
    hunk.lines++;
    this.#termReader.read(bytes, from, to, this.#sinks[side]);
    this.#bigramReader.read(bytes, from, to);
  }

  /** Writes a block of everything added; returns its size in bytes. */
  write(path: string): number {
    this.#endHunk();
    const writer = new BlockWriter(path);
    try {
      this.#writeTerms(writer);
      writer.endTerms();
      for (let i = 0; i < this.hunkCount; i++) writer.addHunk(this.#hunk(i));
      const commits = { oids: this.#oids.chunks(), oidBytes: this.#oidBytes };
      const filters = this.#filters.chunks();
      const contents = { commits, paths: this.#paths.keys(), skipCounts: this.#skipCounts, filters };
      return writer.finish(contents, (file) => this.patches.write(file));
    } catch (error) {
      writer.abort();
      throw error;
    }
  }

  #pathNumber(path: string): number {
    let number = this.#paths.get(path);
    if (number === undefined) {
      number = this.#paths.size;
      this.#paths.set(path, number);
      this.#pathTerms.push(this.#termReader.terms.number(pathKey(path)));
    }
    return number;
  }

  /** The open hunk if the line belongs to it, otherwise a new one that starts there. */
  #openHunkAt(oldLine: number, newLine: number): Position & { lines: number } {
    const open = this.#open;
    if (open && open.lines < MAX_HUNK_LINES) {
      const gap = Math.max(oldLine - open.oldStart - open.oldLines, newLine - open.newStart - open.newLines);
      if (gap <= MAX_GAP_LINES) return open;
    }
    this.#endHunk();
    this.patches.beginHunk();
    this.#open = { oldStart: oldLine, oldLines: 0, newStart: newLine, newLines: 0, lines: 0 };
    return this.#open;
  }

  #sink(side: DiffSide): { add(term: number): void } {
    const step = side === 'added' ? 1 : 3;
    const isAtMaximum = side === 'added' ? (sides: number) => sides % 3 === 2 : (sides: number) => sides >= 6;
    return {
      add: (term) => {
        if (term >= this.#counts.length) this.#growCounts(term);
        const sides = this.#counts[term]!;
        if (sides === 0) this.#openTerms.push(term);
        if (!isAtMaximum(sides)) this.#counts[term] = sides + step;
        this.#lengths[side]++;
      },
    };
  }

  #growCounts(term: number): void {
    const grown = new Uint8Array(Math.max(term + 1, this.#counts.length * 2));
    grown.set(this.#counts);
    this.#counts = grown;
  }

  #endHunk(): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    for (const term of this.#openTerms) {
      this.#terms.push(term);
      this.#sides.push(this.#counts[term]! - 1);
      this.#counts[term] = 0;
    }
    for (const path of new Set([this.#path, this.#oldPath])) {
      this.#terms.push(this.#pathTerms[path]!);
      this.#sides.push(0);
    }
    this.#ends.push(this.#terms.length);
    const { oldStart, oldLines, newStart, newLines } = open;
    const { added, removed } = this.#lengths;
    const fields = [
      this.#commits - 1,
      this.#path,
      this.#oldPath,
      oldStart,
      oldLines,
      newStart,
      newLines,
      added,
      removed,
    ];
    for (const field of fields) this.#hunks.push(field);
    this.#addFilter();
    this.#openTerms = [];
    this.#lengths = { added: 0, removed: 0 };
  }

  #addFilter(): void {
    const { added, removed } = this.#lengths;
    const bytes = filterBytes(encodeLength(added), encodeLength(removed));
    this.#filters.append(createFilter(bytes, this.#bigramReader.take()));
  }

  #hunk(index: number): HunkRecord {
    const field = (number: number) => this.#hunks.at(index * FIELDS + number);
    return {
      commit: field(0),
      path: field(1),
      oldPath: field(2),
      oldStart: field(3),
      oldLines: field(4),
      newStart: field(5),
      newLines: field(6),
      added: field(7),
      removed: field(8),
    };
  }

  /** Inverts hunks with terms into terms with hunks by a counting sort, and writes them by key. */
  #writeTerms(writer: BlockWriter): void {
    const keys = this.#termReader.terms.keys();
    const total = this.#terms.length;
    const starts = new Uint32Array(keys.length + 1);
    for (let i = 0; i < total; i++) starts[this.#terms.at(i) + 1]!++;
    for (let term = 0; term < keys.length; term++) starts[term + 1]! += starts[term]!;
    const next = starts.slice();
    const hunks = new Uint32Array(total);
    const sides = new Uint8Array(total);
    for (let hunk = 0, i = 0; hunk < this.hunkCount; hunk++) {
      for (const end = this.#ends.at(hunk); i < end; i++) {
        const slot = next[this.#terms.at(i)]!++;
        hunks[slot] = hunk;
        sides[slot] = this.#sides.at(i);
      }
    }
    const out = new VarintWriter();
    for (const key of keys.slice().sort()) {
      const term = this.#termReader.terms.number(key);
      const [from, to] = [starts[term]!, starts[term + 1]!];
      if (from === to) continue;
      out.clear();
      for (let i = from, previous = 0; i < to; i++) {
        out.write((hunks[i]! - previous) * 8 + sides[i]!);
        previous = hunks[i]!;
      }
      writer.addTerm(key, to - from, out.bytes());
    }
  }
}
