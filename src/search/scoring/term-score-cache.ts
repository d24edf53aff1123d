import type { QueryTerm } from '../query/parse-query.ts';
import type { Scorer, Worths } from './bm25f-scorer.ts';
import type { Hit } from './top-k.ts';

/** Down to this share at once: a map is slow to tell its oldest entry again and again. */
const ROOM_MADE = 7 / 8;
/** Reading what so few documents have costs no more than keeping it. */
const FEW = 32;

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
    this.#most = maxBytes;
  }

  /** What a term is worth; `read`, which must mean the same for the same kind, adds its occurrences to the scorer. */
  of(kind: string, term: string, scorer: Scorer, read: (term: string) => void): Worths {
    const name = `${kind} ${term}`;
    const known = this.#known.get(name);
    if (known) this.#known.delete(name);
    else read(term);
    const worths = known ?? scorer.endTerm();
    if (worths.values.length <= FEW) return worths;
    this.#known.set(name, worths);
    if (!known) this.#makeRoom(bytesOf(worths));
    return worths;
  }

  #makeRoom(added: number): void {
    this.#kept += added;
    if (this.#kept <= this.#most) return;
    for (const [oldest, worths] of this.#known) {
      if (this.#kept <= this.#most * ROOM_MADE) break;
      this.#known.delete(oldest);
      this.#kept -= bytesOf(worths);
    }
  }
}

const bytesOf = ({ docs, values }: Worths) => (docs?.byteLength ?? 0) + values.byteLength;

/** Scores documents by the sum of what the terms are worth in them. */
export function addUp(terms: readonly QueryTerm[], scorer: Scorer, worthsOf: (term: string) => Worths): void {
  scorer.start();
  for (const { term, weight } of terms) scorer.addWorths(worthsOf(term), weight);
}

/**
 * The best `limit` documents for the terms, best first: those that `addUp` and `Scorer.best` find, sooner. Terms that
 * most documents have are worth little in each, so most documents can be passed over before they are added.
 */
export function bestBy(
  terms: readonly QueryTerm[],
  scorer: Scorer,
  worthsOf: (term: string) => Worths,
  limit: number,
): Hit[] {
  scorer.start();
  const common: { values: Float32Array; weight: number; most: number }[] = [];
  for (const { term, weight } of terms) {
    const worths = worthsOf(term);
    if (worths.docs === null) common.push({ ...worths, weight });
    else scorer.addWorths(worths, weight);
  }
  return common.length === 0 ? scorer.best(limit) : scorer.bestWith(limit, common);
}
