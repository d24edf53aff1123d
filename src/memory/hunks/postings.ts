import { VarintReader } from './varint.ts';

/** Goes through the hunks of a term, rising. `hunk` is the current one, infinite behind the last. */
export class Cursor {
  readonly #reader: VarintReader;
  hunk = 0;
  /** How often the term came and how often it went in the current hunk: 0, 1, or 2 for more. */
  added = 0;
  removed = 0;

  constructor(postings: Buffer) {
    this.#reader = new VarintReader(postings);
    this.next();
  }

  /** Goes to the next hunk. */
  next(): void {
    if (this.#reader.done) {
      this.hunk = Number.POSITIVE_INFINITY;
      return;
    }
    const value = this.#reader.next();
    const sides = value % 8;
    this.hunk += (value - sides) / 8;
    this.added = (sides + 1) % 3;
    this.removed = ((sides + 1) / 3) | 0;
  }
}

/**
 * Hunks of a block that have all the terms on one side, rising, given the postings of each term: the shortest one
 * leads. Cost is that of reading all postings up to the end of the shortest.
 */
export function* withAll(postings: Buffer[], side: 'added' | 'removed'): Generator<number, void, undefined> {
  const cursors = postings.toSorted((a, b) => a.length - b.length).map((bytes) => new Cursor(bytes));
  const [lead, ...others] = cursors;
  if (lead === undefined) return;
  for (; lead.hunk !== Number.POSITIVE_INFINITY; lead.next()) {
    if (lead[side] === 0) continue;
    let all = true;
    for (const other of others) {
      while (other.hunk < lead.hunk) other.next();
      all &&= other.hunk === lead.hunk && other[side] > 0;
    }
    if (all) yield lead.hunk;
  }
}
