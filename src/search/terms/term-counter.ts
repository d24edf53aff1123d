import { scanWords, wordTerms } from '#memory/tokens.ts';
import { currentWordTable } from './word-table.ts';

/** How often each wanted term stands in a text, and the text's length in terms. */
export interface TermCounts {
  counts: Map<string, number>;
  length: number;
}

type TermSink = (term: string | null, place: number, at: number) => void;

/** Finds certain terms in texts. Words come again and again in code, so each is taken apart once in a thread. */
export class TermCounter {
  readonly #table = currentWordTable();
  readonly #names: string[];
  /** By the number of a term: its place in `#names` plus one, or 0. */
  readonly #places: Uint32Array;

  constructor(wanted: Iterable<string>) {
    this.#names = [...new Set(wanted)];
    const numbers = this.#names.map((name) => this.#table.termId(name));
    this.#places = new Uint32Array(this.#table.termCount);
    numbers.forEach((number, index) => {
      this.#places[number] = index + 1;
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
   * Tells every term of a text in order with its place among the wanted ones, counted from 1, or null and 0 for another,
   * and where its word begins in the text; returns how many there are.
   */
  scan(text: string, sink: TermSink): number {
    const [table, names, places] = [this.#table, this.#names, this.#places];
    const { terms, termStarts } = table;
    let length = 0;
    scanWords(text, (start, end, hash) => {
      const word = table.findOrInsert(text, start, end, hash);
      if (word < 0) {
        length += this.#scanLong(text.slice(start, end), start, sink);
        return;
      }
      const to = termStarts[word + 1]!;
      for (let at = termStarts[word]!; at < to; at++) {
        const place = places[terms[at]!] ?? 0;
        sink(place === 0 ? null : names[place - 1]!, place, start);
        length++;
      }
    });
    return length;
  }

  /** A word that the table has no room for. */
  #scanLong(word: string, start: number, sink: TermSink): number {
    const terms = wordTerms(word);
    for (const term of terms) {
      const place = this.#names.indexOf(term) + 1;
      sink(place === 0 ? null : term, place, start);
    }
    return terms.length;
  }
}
