import type { QueryTerm } from '../query/parse-query.ts';
import type { Bm25fScorer, TermScores } from './bm25f-scorer.ts';
import type { ScoredDoc } from './top-k.ts';

/** Down to this share at once: a map is slow to tell its oldest entry again and again. */
const EVICTION_TARGET = 7 / 8;
/** Reading what so few documents have costs no more than keeping it. */
const MIN_CACHED_DOCS = 32;

/**
 * What terms are worth, worked out once: most words of a question were in an earlier one, above all those that stand
 * in many documents and cost most. The least recently used are forgotten.
 */
export class TermScoreCache {
  readonly #most: number;
  readonly #known = new Map<string, TermScores>();
  #kept = 0;

  /** Keeps at most so many bytes. */
  constructor(maxBytes: number) {
    this.#most = maxBytes;
  }

  /** What a term is worth; `read`, which must mean the same for the same kind, adds its occurrences to the scorer. */
  getOrCompute(kind: string, term: string, scorer: Bm25fScorer, read: (term: string) => void): TermScores {
    const name = `${kind} ${term}`;
    const known = this.#known.get(name);
    if (known) this.#known.delete(name);
    else read(term);
    const worths = known ?? scorer.finishTerm();
    if (worths.scores.length <= MIN_CACHED_DOCS) return worths;
    this.#known.set(name, worths);
    if (!known) this.#makeRoom(byteSize(worths));
    return worths;
  }

  #makeRoom(added: number): void {
    this.#kept += added;
    if (this.#kept <= this.#most) return;
    for (const [oldest, worths] of this.#known) {
      if (this.#kept <= this.#most * EVICTION_TARGET) break;
      this.#known.delete(oldest);
      this.#kept -= byteSize(worths);
    }
  }
}

const byteSize = ({ docs, scores: values }: TermScores) => (docs?.byteLength ?? 0) + values.byteLength;

/** Scores documents by the sum of what the terms are worth in them. */
export function accumulate(terms: readonly QueryTerm[], scorer: Bm25fScorer, worthsOf: (term: string) => TermScores): void {
  scorer.reset();
  for (const { term, weight } of terms) scorer.accumulate(worthsOf(term), weight);
}

/**
 * The best `limit` documents for the terms, best first: those that `addUp` and `Scorer.best` find, sooner. Terms that
 * most documents have are worth little in each, so most documents can be passed over before they are added.
 */
export function topK(
  terms: readonly QueryTerm[],
  scorer: Bm25fScorer,
  worthsOf: (term: string) => TermScores,
  limit: number,
): ScoredDoc[] {
  scorer.reset();
  const common: { values: Float32Array; weight: number; most: number }[] = [];
  for (const { term, weight } of terms) {
    const worths = worthsOf(term);
    if (worths.docs === null) common.push({ ...worths, weight });
    else scorer.accumulate(worths, weight);
  }
  return common.length === 0 ? scorer.topK(limit) : scorer.topKWithCommonTerms(limit, common);
}
