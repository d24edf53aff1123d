import { DECODED_LENGTHS } from './hunk.ts';

/** Characters of each word that a bigram covers: the last of the first word and the first of the second. */
const EDGE_CHARACTERS = 2;
/**
 * Terms of a hunk per byte of its filter. That is about 1.1 bits per distinct bigram: six in ten of the absent ones pass,
 * but most texts have several.
 */
const TERMS_PER_BYTE = 20;
/** Numbers of terms by their code. */
const TERM_COUNTS = DECODED_LENGTHS.map(Math.round);
/** ASCII letters, digits and `_`. All other bytes separate words. */
const IS_WORD_BYTE = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 && /\w/.test(String.fromCharCode(byte)) ? 1 : 0,
);
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Collects the hashes of bigrams: the end of a word, the separator, and the beginning of the next word, in their case. The
 * inner loop of a build: a callback per bigram would take twice the time.
 */
export class BigramReader {
  #hashes = new Uint32Array(1 << 12);
  #length = 0;

  /** Adds the bigrams of a line. */
  read(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    let at = from;
    while (at < to && IS_WORD_BYTE[bytes[at]!] === 0) at++;
    for (let start = at; at < to; ) {
      while (at < to && IS_WORD_BYTE[bytes[at]!] === 1) at++;
      let hash = FNV_OFFSET;
      for (let i = Math.max(start, at - EDGE_CHARACTERS); i < at; i++)
        hash = Math.imul(hash ^ bytes[i]!, FNV_PRIME);
      for (; at < to && IS_WORD_BYTE[bytes[at]!] === 0; at++) hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME);
      if (at === to) return;
      start = at;
      const end = Math.min(to, start + EDGE_CHARACTERS);
      for (let i = start; i < end && IS_WORD_BYTE[bytes[i]!] === 1; i++)
        hash = Math.imul(hash ^ bytes[i]!, FNV_PRIME);
      // Positions in a filter are remainders of the hash.
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
      this.#hashes[this.#length++] = hash ^ (hash >>> 12);
    }
  }

  /** All bigrams since the last call, which may lie in memory that the next `read` writes to. */
  take(): Uint32Array {
    const hashes = this.#hashes.subarray(0, this.#length);
    this.#length = 0;
    return hashes;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#hashes.length) return;
    const grown = new Uint32Array(needed * 2);
    grown.set(this.#hashes);
    this.#hashes = grown;
  }
}

/**
 * The distinct bigrams of every line that contains the text. One letter at an end of the text may be part of a longer word, so
 * its bigram is left out.
 */
export function bigramsOf(text: string): number[] {
  const reader = new BigramReader();
  const bytes = Buffer.from(text);
  reader.read(bytes, 0, bytes.length);
  const hashes = reader.take();
  const whole = hashes.subarray(
    /^\w(?!\w)/.test(text) ? 1 : 0,
    hashes.length - (/(?<!\w)\w$/.test(text) ? 1 : 0),
  );
  return [...new Set(whole)];
}

/** Size of a hunk's filter by the codes of its lengths, so that it is not stored; 0 for small hunks. */
export function filterBytes(addedCode: number, removedCode: number): number {
  return Math.round((TERM_COUNTS[addedCode]! + TERM_COUNTS[removedCode]!) / TERMS_PER_BYTE);
}

/** Creates a Bloom filter with one hash function: more of them need more bits than there are. */
export function createFilter(bytes: number, bigrams: Uint32Array): Uint8Array {
  const filter = new Uint8Array(bytes);
  const bits = bytes * 8;
  if (bits === 0) return filter;
  for (const hash of bigrams) {
    const bit = hash % bits;
    filter[bit >>> 3]! |= 1 << (bit & 7);
  }
  return filter;
}

/** False if any of the bigrams is not in the filter; an empty filter contains all. */
export function filterContains(filter: Uint8Array, bigrams: readonly number[]): boolean {
  if (filter.length === 0) return true;
  return bigrams.every((hash) => {
    const bit = hash % (filter.length * 8);
    return (filter[bit >>> 3]! & (1 << (bit & 7))) !== 0;
  });
}
