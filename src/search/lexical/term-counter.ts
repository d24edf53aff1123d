import { scanWords, wordTerms } from '#memory/tokens.ts';
import { currentWordTable } from './word-table.ts';

/** Counts of the wanted terms in a text, and the length of the text in terms. */
export interface TermCounts {
  counts: Map<string, number>;
  length: number;
}

type TermVisitor = (term: string | null, ordinal: number, offset: number) => void;

/** Counts a fixed set of terms in texts. Words repeat in code, so each is split and stemmed once per thread. */
export class TermCounter {
  readonly #table = currentWordTable();
  readonly #names: string[];
  /** Term id → index in `#names` plus one, or 0. */
  readonly #ordinals: Uint32Array;

  constructor(terms: Iterable<string>) {
    this.#names = [...new Set(terms)];
    const ids = this.#names.map((name) => this.#table.termId(name));
    this.#ordinals = new Uint32Array(this.#table.termCount);
    ids.forEach((id, index) => {
      this.#ordinals[id] = index + 1;
    });
  }

  /** Adds the counts of a text to `into`. */
  count(text: string, into: TermCounts): void {
    const { counts } = into;
    into.length += this.scan(text, (term) => {
      if (term !== null) counts.set(term, (counts.get(term) ?? 0) + 1);
    });
  }

  /**
   * Visits every term of a text in order: a wanted one with its ordinal from 1, another as null with 0, each with the
   * offset of its word. Returns the number of terms. `from` and `to` limit it to a range that cuts no word.
   */
  scan(text: string, visit: TermVisitor, from = 0, to = text.length): number {
    const [table, names, ordinals] = [this.#table, this.#names, this.#ordinals];
    const { terms, termStarts } = table;
    let length = 0;
    const onWord = (start: number, end: number, hash: number) => {
      const word = table.findOrInsert(text, start, end, hash);
      if (word < 0) {
        length += this.#scanUncached(text.slice(start, end), start, visit);
        return;
      }
      const to = termStarts[word + 1]!;
      for (let at = termStarts[word]!; at < to; at++) {
        const ordinal = ordinals[terms[at]!] ?? 0;
        visit(ordinal === 0 ? null : names[ordinal - 1]!, ordinal, start);
        length++;
      }
    };
    scanWords(text, onWord, from, to);
    return length;
  }

  /** Visits the terms of a word that does not fit in the table. */
  #scanUncached(word: string, offset: number, visit: TermVisitor): number {
    const terms = wordTerms(word);
    for (const term of terms) {
      const ordinal = this.#names.indexOf(term) + 1;
      visit(ordinal === 0 ? null : term, ordinal, offset);
    }
    return terms.length;
  }
}
