import { ChunkedUint8Array, ChunkedUint32Array } from '../bytes/chunked-arrays.ts';
import { scanWords, wordTerms } from '../tokens.ts';
import { KeyTable, termKey } from './term-keys.ts';

/** Words cached with their terms. */
const WORD_CACHE_SIZE = 1 << 17;
/** Longer words, in bytes, are rare and tokenized each time. */
const MAX_CACHED_WORD_BYTES = 48;
/** Bytes that can be part of a word: ASCII letters, digits and `_`, and all of every other character. */
const IS_WORD_BYTE = wordBytes();

function wordBytes(): Uint8Array {
  const bytes = new Uint8Array(256).fill(1, 0x80);
  for (let byte = 0; byte < 0x80; byte++) if (/\w/.test(String.fromCharCode(byte))) bytes[byte] = 1;
  return bytes;
}

/**
 * Reads terms from UTF-8 bytes without decoding them: a word is looked up by its bytes and tokenized only once. The terms
 * are those of `tokens.ts`.
 */
export class TermReader {
  readonly terms = new KeyTable();
  #cache = newWordCache();

  /** Adds every term of the bytes from `from` up to `to` to the sink, by number. */
  read(bytes: Buffer, from: number, to: number, sink: { add(term: number): void }): void {
    let at = from;
    while (at < to) {
      let byte = bytes[at]!;
      if (IS_WORD_BYTE[byte] === 0) {
        at++;
        continue;
      }
      const start = at;
      let hash = 0x811c9dc5;
      do {
        hash = Math.imul(hash ^ byte, 0x01000193);
        byte = ++at < to ? bytes[at]! : 0;
      } while (IS_WORD_BYTE[byte] === 1);
      this.#add(bytes, start, at, hash >>> 0, sink);
    }
  }

  #add(bytes: Buffer, start: number, end: number, hash: number, sink: { add(term: number): void }): void {
    if (end - start > MAX_CACHED_WORD_BYTES) {
      for (const term of this.#tokenize(bytes, start, end)) sink.add(term);
      return;
    }
    const word = this.#find(bytes, start, end, hash);
    const { termStarts, terms } = this.#cache;
    const last = termStarts.at(word + 1);
    for (let i = termStarts.at(word); i < last; i++) sink.add(terms.at(i));
  }

  /** ASCII separators are not word bytes, so a run of word bytes has the same terms as in its text. */
  #tokenize(bytes: Buffer, start: number, end: number): number[] {
    const text = bytes.toString('utf8', start, end);
    const numbers: number[] = [];
    scanWords(text, (from, to) => {
      for (const term of wordTerms(text.slice(from, to))) numbers.push(this.terms.number(termKey(term)));
    });
    return numbers;
  }

  #find(bytes: Buffer, start: number, end: number, hash: number): number {
    const { slots, hashes, byteStarts, letters } = this.#cache;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const word = slots[slot]! - 1;
      if (hashes.at(word) !== hash) continue;
      const first = byteStarts.at(word);
      if (byteStarts.at(word + 1) - first !== end - start) continue;
      let i = 0;
      while (start + i < end && letters.at(first + i) === bytes[start + i]) i++;
      if (start + i === end) return word;
    }
    return this.#insert(bytes, start, end, hash, slot);
  }

  #insert(bytes: Buffer, start: number, end: number, hash: number, slot: number): number {
    if (this.#cache.hashes.length === WORD_CACHE_SIZE) {
      this.#cache = newWordCache();
      return this.#find(bytes, start, end, hash);
    }
    const { slots, hashes, byteStarts, letters, termStarts, terms } = this.#cache;
    const word = hashes.length;
    slots[slot] = word + 1;
    hashes.push(hash);
    letters.append(bytes.subarray(start, end));
    byteStarts.push(letters.length);
    for (const term of this.#tokenize(bytes, start, end)) terms.push(term);
    termStarts.push(terms.length);
    return word;
  }
}

/** Creates a hash table of words (a slot holds a word's number plus one), their bytes and their terms. */
function newWordCache() {
  const cache = {
    slots: new Uint32Array(WORD_CACHE_SIZE * 2),
    hashes: new ChunkedUint32Array(),
    letters: new ChunkedUint8Array(),
    byteStarts: new ChunkedUint32Array(),
    terms: new ChunkedUint32Array(),
    termStarts: new ChunkedUint32Array(),
  };
  cache.byteStarts.push(0);
  cache.termStarts.push(0);
  return cache;
}
