import { VarintReader } from '../bytes/varint.ts';
import type { DiffSide } from './hunk.ts';

/** Above every hunk: the position of a cursor at its end. */
export const END_OF_POSTINGS = 0x7fffffff;
/** Counts of a term on either side by the `sides` of a posting: 0, 1, or 2 for more. */
const ADDED = Uint8Array.from({ length: 8 }, (_, sides) => (sides + 1) % 3);
const REMOVED = Uint8Array.from({ length: 8 }, (_, sides) => Math.floor((sides + 1) / 3));

/** Counts of a term on one side, or on both together, by the `sides` of a posting. */
export function termCounts(side: DiffSide | undefined): Uint8Array {
  if (side) return side === 'added' ? ADDED : REMOVED;
  return ADDED.map((added, sides) => added + REMOVED[sides]!);
}

/**
 * Iterates over the hunks of a term in ascending order. A block has fewer than 2^28 hunks, so a posting fits 32 bits.
 */
export class HunkCursor {
  readonly #bytes: Buffer;
  #position = 0;
  /** The current hunk, or `NO_HUNK`. */
  hunk = 0;
  /** Counts on both sides, encoded from 0 to 7 as described at `BlockWriter`. */
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

  /** Moves to the first hunk at or after `to`. Blame spends much of its time here. */
  advance(to: number): void {
    if (this.hunk >= to) return;
    const reader = new VarintReader(this.#bytes, this.#position);
    let { hunk } = this;
    let value = 0;
    while (hunk < to) {
      if (reader.isAtEnd) {
        hunk = END_OF_POSTINGS;
        break;
      }
      value = reader.read();
      hunk += value >>> 3;
    }
    [this.#position, this.hunk, this.sides] = [reader.position, hunk, value & 7];
  }

  /** Moves to the next hunk. */
  next(): void {
    const reader = new VarintReader(this.#bytes, this.#position);
    if (reader.isAtEnd) {
      this.hunk = END_OF_POSTINGS;
      return;
    }
    const value = reader.read();
    this.#position = reader.position;
    this.hunk += value >>> 3;
    this.sides = value & 7;
  }
}

/**
 * Intersects postings: yields the hunks that have all the terms on one side, in ascending order. The shortest list
 * leads, so the cost is that of reading all lists up to its end.
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
