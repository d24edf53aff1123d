import type { FieldIndex, Postings } from '../memory.ts';
import { encode, hashOf } from './dictionary.ts';
import type { ShardFile } from './format.ts';

/** The lists of one segment, as `PostingsBuilder` wrote them. */
export interface Lists {
  readonly bytes: Uint8Array;
  /** Place of a term's list in `bytes`; null when it has none. */
  find(term: string): { from: number; to: number } | null;
  /** Length in terms of every document, by field. */
  readonly lengths: readonly Uint32Array[];
}

/** Opens the lists that were written under this name. */
export function openLists(file: ShardFile, name: string, fields: number): Lists {
  const buckets = file.u32(`${name}.buckets`);
  const bytes = file.u8(`${name}.terms`);
  const lengths = Array.from({ length: fields }, (_, field) => file.u32(`${name}.lengths.${field}`));
  let at = 0;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const find = (term: string) => {
    const wanted = encode(term);
    const bucket = hashOf(wanted) & (buckets.length - 2);
    const end = buckets[bucket + 1]!;
    for (at = buckets[bucket]!; at < end; ) {
      const length = readNumber();
      const text = at;
      at += length;
      const size = readNumber();
      const from = at;
      at += size;
      if (length === wanted.length && equals(bytes, text, wanted)) return { from, to: at };
    }
    return null;
  };
  return { bytes, find, lengths };
}

function equals(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** A segment's lists and the numbers that its documents have in the table: -1 for those it does not show. */
export interface NumberedLists {
  readonly lists: Lists;
  /** Null: their own. */
  readonly numbers: Int32Array | null;
}

/**
 * Reads terms over all segments of a table. The postings of one term are decoded once for all fields, into room
 * that the next term overwrites.
 */
export class PostingsReader {
  readonly #segments: readonly NumberedLists[];
  readonly #documents: number;
  readonly #fields: { docs: Uint32Array; counts: Uint8Array; length: number; sorted: boolean }[];
  /** Counts by document while a list is being sorted, otherwise 0 everywhere. */
  #spread: Uint8Array | null = null;
  #term: string | null = null;

  constructor(segments: readonly NumberedLists[], documents: number) {
    this.#segments = segments;
    this.#documents = documents;
    const empty = () => ({ docs: new Uint32Array(64), counts: new Uint8Array(64), length: 0, sorted: true });
    this.#fields = [empty(), empty(), empty()];
  }

  /** The postings of a term in a field, valid until another term is asked for; null when there are none. */
  postings(field: number, term: string): Postings | null {
    if (term !== this.#term) this.#read(term);
    const { docs, counts, length } = this.#fields[field]!;
    return length === 0 ? null : { docs: docs.subarray(0, length), counts: counts.subarray(0, length) };
  }

  /** A field as the interface that readers know. `lengths` by document. */
  field(field: number, lengths: Uint32Array): FieldIndex {
    return {
      count: this.#documents,
      averageLength: average(lengths),
      lengths,
      postings: (term) => this.postings(field, term),
    };
  }

  #read(term: string): void {
    this.#term = term;
    for (const field of this.#fields) {
      field.length = 0;
      field.sorted = true;
    }
    for (const { lists, numbers } of this.#segments) {
      const place = lists.find(term);
      if (place) this.#decode(lists.bytes, place.from, place.to, numbers);
    }
    for (const field of this.#fields) if (!field.sorted) this.#sort(field);
  }

  #decode(bytes: Uint8Array, from: number, to: number, numbers: Int32Array | null): void {
    let document = 0;
    // An entry takes a byte at least.
    for (const field of this.#fields) this.#makeRoom(field, field.length + to - from);
    for (let at = from; at < to; ) {
      let byte = bytes[at++]!;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        value |= (byte & 127) << shift;
      }
      document += value >>> 2;
      const number = numbers === null ? document : numbers[document]!;
      const shape = value & 3;
      if (shape < 2) {
        this.#add(shape, number, 1);
      } else if (shape === 2) {
        const counts = bytes[at++]!;
        this.#add(0, number, counts & 15);
        this.#add(1, number, counts >>> 4);
      } else {
        for (let field = 0; field < 3; field++) this.#add(field, number, bytes[at++]!);
      }
    }
  }

  #add(field: number, number: number, count: number): void {
    if (number < 0 || count === 0) return;
    const list = this.#fields[field]!;
    const at = list.length++;
    if (at > 0 && list.docs[at - 1]! > number) list.sorted = false;
    list.docs[at] = number;
    list.counts[at] = count;
  }

  #makeRoom(field: { docs: Uint32Array; counts: Uint8Array; length: number }, wanted: number): void {
    if (wanted <= field.docs.length) return;
    const size = Math.max(wanted, field.docs.length * 2);
    const [docs, counts] = [new Uint32Array(size), new Uint8Array(size)];
    docs.set(field.docs.subarray(0, field.length));
    counts.set(field.counts.subarray(0, field.length));
    field.docs = docs;
    field.counts = counts;
  }

  /** Sorts a list by its documents: spread over all of them, then swept up in order. */
  #sort(list: { docs: Uint32Array; counts: Uint8Array; length: number }): void {
    this.#spread ??= new Uint8Array(this.#documents);
    sortPostings(list.docs.subarray(0, list.length), list.counts, this.#spread);
  }
}

/** Below this share of all documents, sorting costs less than a sweep over all. */
const SWEEP_SHARE = 1 / 64;

/**
 * Puts documents, all different, in ascending order with their counts, which are above 0. `spread` has a zero for
 * every document, before and after.
 */
export function sortPostings(docs: Uint32Array, counts: Uint8Array, spread: Uint8Array): void {
  for (let i = 0; i < docs.length; i++) spread[docs[i]!] = counts[i]!;
  if (docs.length < spread.length * SWEEP_SHARE) {
    docs.sort();
  } else {
    for (let document = 0, at = 0; at < docs.length; document++)
      if (spread[document] !== 0) docs[at++] = document;
  }
  for (let i = 0; i < docs.length; i++) {
    counts[i] = spread[docs[i]!]!;
    spread[docs[i]!] = 0;
  }
}

/** The mean; 0 of nothing. */
export function average(lengths: Uint32Array): number {
  let total = 0;
  for (const length of lengths) total += length;
  return total / (lengths.length || 1);
}
