import type { QueryTerm } from './query.ts';
import type { Scorer, Worths } from './scorer.ts';

/** Bytes that a document takes in what is kept of a term. */
const A_DOCUMENT = 12;

/**
 * What terms are worth, worked out once: most words of a question were in an earlier one, above all those that stand
 * in many documents and cost most. The least recently used are forgotten.
 */
export class TermWorths {
  readonly #most: number;
  readonly #known = new Map<string, Worths>();
  #kept = 0;

  /** Keeps at most so many bytes. */
  constructor(maxBytes: number) {
    this.#most = Math.floor(maxBytes / A_DOCUMENT);
  }

  /** What a term is worth; `read`, which must mean the same for the same kind, adds its occurrences to the scorer. */
  of(kind: string, term: string, scorer: Scorer, read: (term: string) => void): Worths {
    const name = `${kind} ${term}`;
    const known = this.#known.get(name);
    if (known) this.#known.delete(name);
    else read(term);
    const worths = known ?? scorer.endTerm();
    this.#known.set(name, worths);
    if (!known) this.#makeRoom(worths.docs.length);
    return worths;
  }

  #makeRoom(added: number): void {
    this.#kept += added;
    for (const [oldest, { docs }] of this.#known) {
      if (this.#kept <= this.#most) break;
      this.#known.delete(oldest);
      this.#kept -= docs.length;
    }
  }
}

/** Scores documents by the sum of what the terms are worth in them. */
export function addUp(terms: readonly QueryTerm[], scorer: Scorer, worthsOf: (term: string) => Worths): void {
  scorer.start();
  for (const { term, weight } of terms) scorer.addWorths(worthsOf(term), weight);
}
