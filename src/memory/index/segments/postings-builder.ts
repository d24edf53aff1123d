import { yieldIfDue } from '#scheduling/yield.ts';
import { ChunkedUint8Array, ChunkedUint32Array } from '../../bytes/chunked-arrays.ts';
import type { DictionaryBuilder } from '../../bytes/dictionary.ts';
import { addSection, type SectionDraft } from '../../bytes/sections.ts';
import { SlicePool } from '../../bytes/slice-pool.ts';
import { writeVarint } from '../../bytes/varint.ts';

/** Counts are capped here. */
const MAX_COUNT = 255;
/** Average number of terms per bucket. */
const TERMS_PER_BUCKET = 8;
/** Buckets that are written between two looks at the clock. */
const BUCKETS_PER_YIELD = 256;

/**
 * Builds an inverted index: which terms occur in which documents, and how often in each of up to three fields. The list of
 * a term is compressed as it grows, document by document:
 *
 *     list  = entry*
 *     entry = varint(4 · gap + shape) counts      gap: to the previous document, at first from 0
 *
 *     shape 0   once in field 0
 *     shape 1   once in field 1
 *     shape 2   one byte, count in field 0 + 16 · count in field 1
 *     shape 3   three bytes, the counts in fields 0, 1, 2
 *
 * The lists are written as a hash table of buckets, so no term needs an offset of its own:
 *
 *     bucket = (varint(bytes of the term) term varint(bytes of its list) list)*
 */
export class PostingsBuilder {
  readonly #lists = new SlicePool();
  /** Last document in each term's list. */
  #last = new Uint32Array(1024);
  /** Counts in the open document: three per term. */
  #counts = new Uint32Array(3 * 1024);
  #openTerms: number[] = [];
  readonly #openList = { term: 0, push: (byte: number) => this.#lists.push(this.#openList.term, byte) };
  readonly #lengths: ChunkedUint32Array[];
  readonly #openLengths: number[];

  constructor(fields: number) {
    this.#lengths = Array.from({ length: fields }, () => new ChunkedUint32Array());
    this.#openLengths = this.#lengths.map(() => 0);
  }

  get allocatedBytes(): number {
    const lengths = this.#lengths.reduce((sum, { allocatedBytes: heldBytes }) => sum + heldBytes, 0);
    return this.#lists.allocatedBytes + this.#last.byteLength + this.#counts.byteLength + lengths;
  }

  /** Adds a term to a field of the open document. */
  add(field: number, term: number): void {
    if (term >= this.#last.length) this.#grow(term);
    const at = term * 3;
    const counts = this.#counts;
    if (counts[at] === 0 && counts[at + 1] === 0 && counts[at + 2] === 0) this.#openTerms.push(term);
    counts[at + field]!++;
    this.#openLengths[field]!++;
  }

  /** Ends the open document and opens the next one. */
  endDocument(): void {
    const document = this.#lengths[0]!.length;
    for (const term of this.#openTerms) {
      this.#append(term, document - this.#last[term]!);
      this.#last[term] = document;
      const at = term * 3;
      this.#counts[at] = 0;
      this.#counts[at + 1] = 0;
      this.#counts[at + 2] = 0;
    }
    this.#openTerms.length = 0;
    this.#lengths.forEach((lengths, field) => {
      lengths.push(this.#openLengths[field]!);
      this.#openLengths[field] = 0;
    });
  }

  #append(term: number, gap: number): void {
    const at = term * 3;
    const [first, second, third] = [this.#counts[at]!, this.#counts[at + 1]!, this.#counts[at + 2]!];
    let shape = 3;
    if (third === 0 && first <= 15 && second <= 15) {
      if (first + second > 1) shape = 2;
      else shape = second;
    }
    this.#openList.term = term;
    writeVarint(this.#openList, gap * 4 + shape);
    if (shape === 2) this.#lists.push(term, first | (second << 4));
    if (shape === 3) {
      for (const count of [first, second, third]) this.#lists.push(term, Math.min(count, MAX_COUNT));
    }
  }

  #grow(term: number): void {
    const size = Math.max(term + 1, this.#last.length * 2);
    const [last, counts] = [new Uint32Array(size), new Uint32Array(3 * size)];
    last.set(this.#last);
    counts.set(this.#counts);
    this.#last = last;
    this.#counts = counts;
  }

  /**
   * Writes the lists, and the lengths of documents as `<name>.lengths.<field>`; `terms` numbers the terms. Yields to the
   * event loop, and throws the signal's reason when aborted.
   */
  async writeTo(
    draft: SectionDraft,
    name: string,
    terms: DictionaryBuilder,
    signal?: AbortSignal,
  ): Promise<void> {
    const buckets = groupByBucket(terms);
    const table = new ChunkedUint8Array();
    const starts = new Uint32Array(buckets.length + 1);
    for (const [number, bucket] of buckets.entries()) {
      starts[number] = table.length;
      for (const term of bucket) this.#writeTerm(table, term, terms.bytes(term));
      if (number % BUCKETS_PER_YIELD === 0) await yieldIfDue(signal);
    }
    starts[buckets.length] = table.length;
    addSection(draft, `${name}.buckets`, starts);
    addSection(draft, `${name}.terms`, table);
    for (const [field, lengths] of this.#lengths.entries())
      addSection(draft, `${name}.lengths.${field}`, lengths);
  }

  #writeTerm(table: ChunkedUint8Array, term: number, text: Uint8Array): void {
    let bytes = 0;
    this.#lists.read(term, (slice) => {
      bytes += slice.length;
    });
    writeVarint(table, text.length);
    table.append(text);
    writeVarint(table, bytes);
    this.#lists.read(term, (slice) => table.append(slice));
  }
}

/** Groups the numbers of all terms by the low bits of their hashes. */
function groupByBucket(terms: DictionaryBuilder): Uint32Array[] {
  const count = 2 ** Math.ceil(Math.log2(terms.size / TERMS_PER_BUCKET + 1));
  const ends = new Uint32Array(count + 1);
  for (let term = 0; term < terms.size; term++) ends[(terms.hash(term) & (count - 1)) + 1]!++;
  for (let bucket = 0; bucket < count; bucket++) ends[bucket + 1]! += ends[bucket]!;
  const starts = ends.slice();
  const order = new Uint32Array(terms.size);
  for (let term = 0; term < terms.size; term++) order[starts[terms.hash(term) & (count - 1)]!++] = term;
  return Array.from({ length: count }, (_, bucket) => order.subarray(ends[bucket], ends[bucket + 1]));
}
