import { encodeUtf8, hashBytes } from '../../bytes/dictionary.ts';
import type { Sections } from '../../bytes/sections.ts';
import { VarintReader } from '../../bytes/varint.ts';
import type { FieldIndex, Postings } from '../../repository-index.ts';

/** Posting lists of one segment, as `PostingsBuilder` wrote them. */
export interface PostingLists {
  readonly bytes: Uint8Array;
  /** Range of a term's list in `bytes`; null when it has none. */
  find(term: string): { from: number; to: number } | null;
  /** Length in terms of every document, by field. */
  readonly lengths: readonly Uint32Array[];
}

/** Opens the posting lists that were written under this name. */
export function openPostingLists(file: Sections, name: string, fields: number): PostingLists {
  const buckets = file.u32(`${name}.buckets`);
  const bytes = file.u8(`${name}.terms`);
  const lengths = Array.from({ length: fields }, (_, field) => file.u32(`${name}.lengths.${field}`));

  const find = (term: string) => {
    const wanted = encodeUtf8(term);
    const bucket = hashBytes(wanted) & (buckets.length - 2);
    const end = buckets[bucket + 1]!;
    const reader = new VarintReader(bytes, buckets[bucket]!);
    while (reader.position < end) {
      const length = reader.read();
      const text = reader.position;
      reader.position += length;
      const size = reader.read();
      const from = reader.position;
      reader.position += size;
      if (length === wanted.length && equals(bytes, text, wanted)) return { from, to: reader.position };
    }
    return null;
  };
  return { bytes, find, lengths };
}

function equals(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** Posting lists of a segment, with a map from its documents to those of the table, -1 for hidden ones. */
interface MappedPostingLists {
  readonly lists: PostingLists;
  /** Null for the identity. */
  readonly docMap: Int32Array | null;
}

/**
 * Reads postings over all segments of a table. Those of one term are decoded once for all fields, into buffers that the
 * next term overwrites.
 */
export class PostingsReader {
  readonly #segments: readonly MappedPostingLists[];
  readonly #documents: number;
  readonly #fields: readonly [PostingBuffer, PostingBuffer, PostingBuffer] = [
    newPostingBuffer(),
    newPostingBuffer(),
    newPostingBuffer(),
  ];
  /** Counts by document while a list is being sorted, otherwise all 0. */
  #scratch: Uint8Array | null = null;
  #term: string | null = null;

  constructor(segments: readonly MappedPostingLists[], documents: number) {
    this.#segments = segments;
    this.#documents = documents;
  }

  /** Postings of a term in a field, valid until the next term is read; null when there are none. */
  postings(field: number, term: string): Postings | null {
    if (term !== this.#term) this.#read(term);
    const { docs, counts, length } = this.#fields[field]!;
    return length === 0 ? null : { docs: docs.subarray(0, length), counts: counts.subarray(0, length) };
  }

  /** One field as an index, with the `lengths` of its documents. */
  field(field: number, lengths: Uint32Array): FieldIndex {
    return {
      count: this.#documents,
      averageLength: mean(lengths),
      lengths,
      postings: (term) => this.postings(field, term),
    };
  }

  #read(term: string): void {
    this.#term = term;
    for (const list of this.#fields) list.length = 0;
    for (const { lists, docMap: numbers } of this.#segments) {
      const range = lists.find(term);
      if (!range) continue;
      const starts = this.#fields.map(({ length }) => length);
      decode(lists.bytes, range.from, range.to, this.#fields);
      if (numbers === null) continue;
      for (const [i, list] of this.#fields.entries()) {
        applyDocMap(list, starts[i]!, numbers);
        if (starts[i]! > 0) merge(list, starts[i]!);
      }
    }
    if (this.#segments.some(({ docMap: numbers }) => numbers !== null)) this.#sort();
  }

  #sort(): void {
    for (const { docs, counts, length } of this.#fields) {
      let i = 1;
      while (i < length && docs[i - 1]! < docs[i]!) i++;
      if (i >= length) continue;
      this.#scratch ??= new Uint8Array(this.#documents);
      sortPostings(docs.subarray(0, length), counts, this.#scratch);
    }
  }
}

/** Growable buffer for the postings of one field. */
interface PostingBuffer {
  docs: Uint32Array;
  counts: Uint8Array;
  length: number;
}

const newPostingBuffer = (): PostingBuffer => ({
  docs: new Uint32Array(64),
  counts: new Uint8Array(64),
  length: 0,
});

function ensureCapacity(list: PostingBuffer, wanted: number): void {
  if (wanted <= list.docs.length) return;
  const size = Math.max(wanted, list.docs.length * 2);
  const { docs, counts } = list;
  list.docs = new Uint32Array(size);
  list.counts = new Uint8Array(size);
  list.docs.set(docs);
  list.counts.set(counts);
}

/** Decodes a term's list and appends it to one buffer per field. Queries spend much of their time here. */
function decode(
  bytes: Uint8Array,
  from: number,
  to: number,
  [first, second, third]: readonly [PostingBuffer, PostingBuffer, PostingBuffer],
): void {
  // An entry takes a byte at least.
  for (const list of [first, second, third]) ensureCapacity(list, list.length + to - from);
  const [docs0, counts0, docs1, counts1] = [first.docs, first.counts, second.docs, second.counts];
  let [length0, length1] = [first.length, second.length];
  let document = 0;
  const reader = new VarintReader(bytes, from);
  while (reader.position < to) {
    const value = reader.read();
    document += value >>> 2;
    const shape = value & 3;
    let count0 = 1 - shape;
    let count1 = shape;
    if (shape === 2) {
      const byte = bytes[reader.position++]!;
      count0 = byte & 15;
      count1 = byte >>> 4;
    } else if (shape === 3) {
      count0 = bytes[reader.position++]!;
      count1 = bytes[reader.position++]!;
      const count2 = bytes[reader.position++]!;
      third.docs[third.length] = document;
      third.counts[third.length] = count2;
      if (count2 > 0) third.length++;
    }
    if (count0 > 0) {
      docs0[length0] = document;
      counts0[length0++] = count0;
    }
    if (count1 > 0) {
      docs1[length1] = document;
      counts1[length1++] = count1;
    }
  }
  first.length = length0;
  second.length = length1;
}

/** Merges the documents from `start` on into those before it. Both are usually ascending; if not, the list is sorted later. */
function merge(list: PostingBuffer, start: number): void {
  const { docs, counts } = list;
  const [added, addedCounts] = [docs.slice(start, list.length), counts.slice(start, list.length)];
  let before = start - 1;
  for (let next = added.length - 1, at = list.length - 1; next >= 0; at--) {
    if (before >= 0 && docs[before]! > added[next]!) {
      docs[at] = docs[before]!;
      counts[at] = counts[before--]!;
    } else {
      docs[at] = added[next]!;
      counts[at] = addedCounts[next--]!;
    }
  }
}

/** Maps the documents from `start` on to those of the table and removes hidden ones. */
function applyDocMap(list: PostingBuffer, start: number, docMap: Int32Array): void {
  const { docs, counts } = list;
  let length = start;
  for (let i = start; i < list.length; i++) {
    const number = docMap[docs[i]!]!;
    if (number < 0) continue;
    docs[length] = number;
    counts[length++] = counts[i]!;
  }
  list.length = length;
}

/** Below this share of all documents, sorting is faster than a scan over all. */
const SWEEP_SHARE = 1 / 64;

/**
 * Sorts distinct documents in ascending order together with their counts, which are above 0. `scratch` has a zero for every
 * document, before and after.
 */
export function sortPostings(docs: Uint32Array, counts: Uint8Array, scratch: Uint8Array): void {
  for (let i = 0; i < docs.length; i++) scratch[docs[i]!] = counts[i]!;
  if (docs.length < scratch.length * SWEEP_SHARE) {
    docs.sort();
  } else {
    for (let document = 0, at = 0; at < docs.length; document++)
      if (scratch[document] !== 0) docs[at++] = document;
  }
  for (let i = 0; i < docs.length; i++) {
    counts[i] = scratch[docs[i]!]!;
    scratch[docs[i]!] = 0;
  }
}

/** The mean; 0 of an empty array. */
export function mean(lengths: Uint32Array): number {
  let total = 0;
  for (const length of lengths) total += length;
  return total / (lengths.length || 1);
}
