import type { DiffSide } from './hunk.ts';

/** Beyond every hunk: where a cursor is that has come to the end. */
export const END_OF_POSTINGS = 0x7fffffff;
/** How often a term came, and how often it went, by the sides of a posting: 0, 1, or 2 for more. */
const ADDED = Uint8Array.from({ length: 8 }, (_, sides) => (sides + 1) % 3);
const REMOVED = Uint8Array.from({ length: 8 }, (_, sides) => Math.floor((sides + 1) / 3));

/** How often a term stands on a side, or on both together, by the sides of a posting. */
export function termCounts(side: DiffSide | undefined): Uint8Array {
  if (side) return side === 'added' ? ADDED : REMOVED;
  return ADDED.map((added, sides) => added + REMOVED[sides]!);
}

/**
 * Goes through the hunks of a term, rising. A block has fewer than 2^28 hunks, so that numbers of 32 bits hold a
 * posting.
 */
export class HunkCursor {
  readonly #bytes: Buffer;
  #at = 0;
  /** The current hunk, or `NO_HUNK`. */
  hunk = 0;
  /** 0 to 7: which sides have the term, see `BlockWriter`. */
  sides = 0;

  constructor(postings: Buffer) {
    this.#bytes = postings;
    this.next();
  }

  get added(): number {
    return ADDED[this.sides]!;
  }

  get removed(): number {
    return REMOVED[this.sides]!;
  }

  /** Goes to the first hunk that is not before this one. Blame spends much of its time here. */
  advance(to: number): void {
    if (this.hunk >= to) return;
    const bytes = this.#bytes;
    let [at, hunk, value] = [this.#at, this.hunk, 0];
    while (hunk < to) {
      if (at >= bytes.length) {
        hunk = END_OF_POSTINGS;
        break;
      }
      let byte = bytes[at++]!;
      value = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++]!;
        value |= (byte & 0x7f) << shift;
      }
      hunk += value >>> 3;
    }
    [this.#at, this.hunk, this.sides] = [at, hunk, value & 7];
  }

  /** Goes to the next hunk. */
  next(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    if (at >= bytes.length) {
      this.hunk = END_OF_POSTINGS;
      return;
    }
    let byte = bytes[at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
    }
    this.#at = at;
    this.hunk += value >>> 3;
    this.sides = value & 7;
  }
}

/**
 * Hunks of a block that have all the terms on one side, rising, given the postings of each term: the shortest one
 * leads. Cost is that of reading all postings up to the end of the shortest.
 */
export function* intersectPostings(postings: Buffer[], side: DiffSide): Generator<number, void, undefined> {
  const cursors = postings.toSorted((a, b) => a.length - b.length).map((bytes) => new HunkCursor(bytes));
  const [lead, ...others] = cursors;
  if (lead === undefined) return;
  for (; lead.hunk !== END_OF_POSTINGS; lead.next()) {
    if (lead[side] === 0) continue;
    let all = true;
    for (const other of others) {
      other.advance(lead.hunk);
      all &&= other.hunk === lead.hunk && other[side] > 0;
    }
    if (all) yield lead.hunk;
  }
}
