import { wordTerms } from '#memory/tokens.ts';

/** Capacity of a table: four megabytes in all. */
const MAX_WORDS = 1 << 16;
const MAX_CHARACTERS = 1 << 20;
const MAX_TERMS = 1 << 18;
const SLOT_COUNT = MAX_WORDS * 2;
/** Longer words are rare. */
const MAX_WORD_LENGTH = 64;

/**
 * An append-only hash table from words to the ids of their terms. A word is looked up by its characters in the text,
 * without allocating a string.
 */
class WordTable {
  readonly #slots = new Uint32Array(SLOT_COUNT);
  readonly #hashes = new Uint32Array(MAX_WORDS);
  readonly #characters = new Uint16Array(MAX_CHARACTERS);
  readonly #characterStarts = new Uint32Array(MAX_WORDS + 1);
  readonly #termIds = new Map<string, number>();
  #words = 0;
  /** Ids of the terms of word `w`: `terms[termStarts[w]]` up to, not including, `terms[termStarts[w + 1]]`. */
  readonly terms = new Uint32Array(MAX_TERMS);
  readonly termStarts = new Uint32Array(MAX_WORDS + 1);

  get isNearlyFull(): boolean {
    return this.#words > MAX_WORDS / 2 || this.termCount > MAX_TERMS / 2;
  }

  get termCount(): number {
    return this.#termIds.size;
  }

  /** The id of a term; assigns one to a new term. */
  termId(term: string): number {
    let id = this.#termIds.get(term);
    if (id === undefined) {
      id = this.#termIds.size;
      this.#termIds.set(copyString(term), id);
    }
    return id;
  }

  /** The number of a word with the hash that `scanWords` computed, or -1 when it does not fit in the table. */
  findOrInsert(text: string, start: number, end: number, hash: number): number {
    const [slots, hashes, characters, starts] = [
      this.#slots,
      this.#hashes,
      this.#characters,
      this.#characterStarts,
    ];
    let slot = (hash ^ (hash >>> 15)) & (SLOT_COUNT - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (SLOT_COUNT - 1)) {
      const word = slots[slot]! - 1;
      const first = starts[word]!;
      if (hashes[word] !== hash || starts[word + 1]! - first !== end - start) continue;
      let at = start;
      while (at < end && text.charCodeAt(at) === characters[first + at - start]) at++;
      if (at === end) return word;
    }
    return this.#insert(slot, text.slice(start, end), hash);
  }

  #insert(slot: number, text: string, hash: number): number {
    const word = this.#words;
    const [characterStart, termStart] = [this.#characterStarts[word]!, this.termStarts[word]!];
    const characterEnd = characterStart + text.length;
    if (text.length > MAX_WORD_LENGTH || word === MAX_WORDS || characterEnd > MAX_CHARACTERS) return -1;
    const terms = wordTerms(text);
    if (termStart + terms.length > MAX_TERMS) return -1;
    terms.forEach((term, index) => {
      this.terms[termStart + index] = this.termId(term);
    });
    for (let i = 0; i < text.length; i++) this.#characters[characterStart + i] = text.charCodeAt(i);
    this.#characterStarts[word + 1] = characterEnd;
    this.termStarts[word + 1] = termStart + terms.length;
    this.#hashes[word] = hash;
    this.#slots[slot] = ++this.#words;
    return word;
  }
}

/** V8 copies shorter substrings; a longer one is a slice that keeps the whole text alive. */
const MIN_SLICED_LENGTH = 13;

const copyString = (term: string) =>
  term.length < MIN_SLICED_LENGTH ? term : Buffer.from(term, 'utf16le').toString('utf16le');

let current = new WordTable();

/** The table of this thread, replaced by an empty one when it is nearly full. */
export function currentWordTable(): WordTable {
  if (current.isNearlyFull) current = new WordTable();
  return current;
}
