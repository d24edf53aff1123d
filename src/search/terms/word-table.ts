import { wordTerms } from '#memory/tokens.ts';

/** Words that a table holds, their letters and their terms at most: four megabytes in all. */
const MAX_WORDS = 1 << 16;
const MAX_CHARACTERS = 1 << 20;
const MAX_TERMS = 1 << 18;
const SLOT_COUNT = MAX_WORDS * 2;
/** Longer words are rare. */
const MAX_WORD_LENGTH = 64;

/**
 * Words and their terms, by number: the same words stand in the code and messages of every question, and a word is
 * found by its letters where it stands, without making a string of it. What it has learned never changes.
 */
export class WordTable {
  readonly #slots = new Uint32Array(SLOT_COUNT);
  readonly #hashes = new Uint32Array(MAX_WORDS);
  readonly #letters = new Uint16Array(MAX_CHARACTERS);
  readonly #letterStarts = new Uint32Array(MAX_WORDS + 1);
  readonly #numbers = new Map<string, number>();
  #words = 0;
  /** Numbers of the terms of word `w`: `terms[termStarts[w]]` up to `terms[termStarts[w + 1]]`. */
  readonly terms = new Uint32Array(MAX_TERMS);
  readonly termStarts = new Uint32Array(MAX_WORDS + 1);

  get isNearlyFull(): boolean {
    return this.#words > MAX_WORDS / 2 || this.termCount > MAX_TERMS / 2;
  }

  /** Terms that have a number. */
  get termCount(): number {
    return this.#numbers.size;
  }

  /** The number of a term. */
  termId(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(copyString(term), number);
    }
    return number;
  }

  /** The number of the word that `scanWords` came upon, or -1 for one that there is no room for. */
  findOrInsert(text: string, start: number, end: number, hash: number): number {
    const [slots, hashes, letters, starts] = [this.#slots, this.#hashes, this.#letters, this.#letterStarts];
    let slot = (hash ^ (hash >>> 15)) & (SLOT_COUNT - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (SLOT_COUNT - 1)) {
      const word = slots[slot]! - 1;
      const first = starts[word]!;
      if (hashes[word] !== hash || starts[word + 1]! - first !== end - start) continue;
      let at = start;
      while (at < end && text.charCodeAt(at) === letters[first + at - start]) at++;
      if (at === end) return word;
    }
    return this.#learn(slot, text.slice(start, end), hash);
  }

  #learn(slot: number, part: string, hash: number): number {
    const word = this.#words;
    const [letter, term] = [this.#letterStarts[word]!, this.termStarts[word]!];
    if (part.length > MAX_WORD_LENGTH || word === MAX_WORDS || letter + part.length > MAX_CHARACTERS) return -1;
    const terms = wordTerms(part);
    if (term + terms.length > MAX_TERMS) return -1;
    terms.forEach((one, index) => {
      this.terms[term + index] = this.termId(one);
    });
    for (let i = 0; i < part.length; i++) this.#letters[letter + i] = part.charCodeAt(i);
    this.#letterStarts[word + 1] = letter + part.length;
    this.termStarts[word + 1] = term + terms.length;
    this.#hashes[word] = hash;
    this.#slots[slot] = ++this.#words;
    return word;
  }
}

/** V8 copies shorter parts of a string anyway. A longer one holds on to the whole text that it is part of. */
const MIN_SLICED_LENGTH = 13;

const copyString = (term: string) =>
  term.length < MIN_SLICED_LENGTH ? term : Buffer.from(term, 'utf16le').toString('utf16le');

let current = new WordTable();

/** The table of this thread; another one when it has filled up, since languages and projects change. */
export function currentWordTable(): WordTable {
  if (current.isNearlyFull) current = new WordTable();
  return current;
}
