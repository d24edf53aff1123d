import { LRUCache } from 'lru-cache';
import type { Bm25fScorer, CommonTerm, TermScores } from './bm25f-scorer.ts';
import type { QueryTerm } from './parse-query.ts';
import type { ScoredDoc } from './top-k.ts';

/** Shorter postings are as cheap to score again as to keep. */
const MIN_CACHED_DOCS = 32;

/**
 * Scores of terms across queries, least recently used evicted first: most words of a query occurred in an earlier one,
 * above all the common ones, which cost the most.
 */
export class TermScoreCache {
  readonly #entries: LRUCache<string, TermScores>;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: Math.max(1, Math.floor(maxBytes)), sizeCalculation: byteSize });
  }

  /** The scores of a term; `addOccurrences` must do the same for the same `kind`. */
  getOrCompute(
    kind: string,
    term: string,
    scorer: Bm25fScorer,
    addOccurrences: (term: string) => void,
  ): TermScores {
    const key = `${kind} ${term}`;
    const cached = this.#entries.get(key);
    if (cached) return cached;
    addOccurrences(term);
    const scores = scorer.finishTerm();
    if (scores.scores.length > MIN_CACHED_DOCS) this.#entries.set(key, scores);
    return scores;
  }
}

const byteSize = ({ docs, scores }: TermScores) => (docs?.byteLength ?? 0) + scores.byteLength;

/** Scores documents by the weighted sum of their term scores. */
export function accumulateTerms(
  terms: readonly QueryTerm[],
  scorer: Bm25fScorer,
  scoresOf: (term: string) => TermScores,
): void {
  scorer.reset();
  for (const { term, weight } of terms) scorer.accumulate(scoresOf(term), weight);
}

/**
 * The documents that `accumulateTerms` and `Bm25fScorer.topK` find, faster: common terms add little to each document,
 * so most documents are pruned before those terms are added.
 */
export function topKForTerms(
  terms: readonly QueryTerm[],
  scorer: Bm25fScorer,
  scoresOf: (term: string) => TermScores,
  limit: number,
): ScoredDoc[] {
  scorer.reset();
  const commonTerms: CommonTerm[] = [];
  for (const { term, weight } of terms) {
    const scores = scoresOf(term);
    if (scores.docs === null) commonTerms.push({ ...scores, weight });
    else scorer.accumulate(scores, weight);
  }
  return commonTerms.length === 0 ? scorer.topK(limit) : scorer.topKWithCommonTerms(limit, commonTerms);
}
