import type { FieldIndex } from '#memory/repository-index.ts';
import { K1, maxTermScore, saturateFrequency } from './bm25.ts';
import { type ScoredDoc, TopK } from './top-k.ts';

/** While less than this share of all documents have a score, their numbers are kept in a list. */
const SPARSE_SHARE = 1 / 16;

/** A field of the documents, the weight of one occurrence in it, and BM25's length normalization b (0 to 1). */
interface ScoredField {
  readonly index: FieldIndex;
  readonly weight: number;
  readonly lengthPenalty: number;
}

/** Documents per block, whose highest score is kept (block-max pruning). */
const BLOCK_SIZE = 64;

/** The scores of a term in more than this share of all documents are stored as a dense array. */
const COMMON_TERM_SHARE = 1 / 3;

/** BM25F scores of one term, at a query weight of 1, in every document that contains it. */
export interface TermScores {
  /** Distinct document numbers; null for a common term, whose `scores` has an entry for every document. */
  readonly docs: Uint32Array | null;
  readonly scores: Float32Array;
  /** Upper bound of a document's score for the term: 0 when no document contains it. */
  readonly maxScore: number;
}

/** A common term of a query, whose scores are added only to documents that can still reach the top k. */
export interface CommonTerm {
  readonly scores: Float32Array;
  readonly maxScore: number;
  readonly weight: number;
}

/**
 * BM25F over dense document numbers, term at a time, without allocating anything per document.
 *
 *   frequency(d)  = Σ over fields of  weight · count / (1 - b + b · length / average)
 *   termScore(d)  = idf · (k1 + 1) · frequency / (frequency + k1)
 *   score(d)     += queryWeight · termScore(d)
 *
 * The arrays have an entry per document. While few documents have a score, their numbers are listed, so that a query
 * costs as much as its postings, whatever the size of the index; beyond that, scanning all costs less than the list.
 */
export class Bm25fScorer {
  private readonly scores: Float64Array;
  private readonly scoredDocs: Uint32Array;
  private readonly frequencies: Float64Array;
  private readonly matchedDocs: Uint32Array;
  /** The highest score of each block, for `topK`. */
  private readonly blockMaxima: Float64Array;
  private scoredCount = 0;
  /** True once so many documents have a score that they are no longer listed. */
  private isDense = false;
  private matchedCount = 0;
  readonly docCount: number;
  /** The query whose scores these are, where the caller sets it; null after `reset`. */
  queryTerms: readonly object[] | null = null;

  constructor(docCount: number) {
    this.docCount = docCount;
    this.scores = new Float64Array(docCount);
    this.scoredDocs = new Uint32Array(docCount);
    this.frequencies = new Float64Array(docCount);
    this.matchedDocs = new Uint32Array(docCount);
    this.blockMaxima = new Float64Array(Math.ceil(docCount / BLOCK_SIZE));
  }

  /** Clears the scores of the previous query. */
  reset(): void {
    const { scores, scoredDocs, scoredCount } = this;
    if (this.isDense) scores.fill(0);
    else for (let i = 0; i < scoredCount; i++) scores[scoredDocs[i]!] = 0;
    this.scoredCount = 0;
    this.isDense = false;
    this.queryTerms = null;
  }

  /** Adds a field's occurrences of the current term. */
  addField({ index, weight, lengthPenalty }: ScoredField, term: string): void {
    const postings = index.postings(term);
    if (!postings) return;
    const { docs, counts } = postings;
    const { lengths, averageLength } = index;
    const floor = 1 - lengthPenalty;
    const slope = lengthPenalty / (averageLength || 1);
    const { frequencies, matchedDocs } = this;
    let { matchedCount } = this;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const before = frequencies[doc]!;
      if (before === 0) matchedDocs[matchedCount++] = doc;
      frequencies[doc] = before + (weight * counts[i]!) / (floor + slope * lengths[doc]!);
    }
    this.matchedCount = matchedCount;
  }

  /** Adds weighted occurrences of the current term to one document. */
  addFrequency(doc: number, frequency: number): void {
    if (this.frequencies[doc] === 0) this.matchedDocs[this.matchedCount++] = doc;
    this.frequencies[doc]! += frequency;
  }

  /** Ends the current term and returns its scores, for `accumulate`. */
  finishTerm(): TermScores {
    const { frequencies, matchedCount, docCount } = this;
    if (matchedCount === 0) return NO_MATCHES;
    const isCommon = matchedCount > docCount * COMMON_TERM_SHARE;
    const docs = isCommon ? this.matchedDocs : this.matchedDocs.slice(0, matchedCount);
    const scores = new Float32Array(isCommon ? docCount : matchedCount);
    const maxScore = maxTermScore(1, docCount, matchedCount);
    for (let i = 0; i < matchedCount; i++) {
      const doc = docs[i]!;
      const frequency = frequencies[doc]!;
      frequencies[doc] = 0;
      scores[isCommon ? doc : i] = saturateFrequency(maxScore, frequency, K1);
    }
    this.matchedCount = 0;
    return { docs: isCommon ? null : docs, scores, maxScore };
  }

  /** Adds a term's scores, times its weight in the query. */
  accumulate({ docs, scores: termScores }: TermScores, weight: number): void {
    const { scores, scoredDocs } = this;
    let { scoredCount } = this;
    this.isDense ||= docs === null || scoredCount + docs.length > this.docCount * SPARSE_SHARE;
    if (docs === null) {
      for (let doc = 0; doc < termScores.length; doc++) scores[doc]! += weight * termScores[doc]!;
      return;
    }
    if (this.isDense) {
      for (let i = 0; i < docs.length; i++) scores[docs[i]!]! += weight * termScores[i]!;
      return;
    }
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const before = scores[doc]!;
      if (before === 0) scoredDocs[scoredCount++] = doc;
      scores[doc] = before + weight * termScores[i]!;
    }
    this.scoredCount = scoredCount;
  }

  score(doc: number): number {
    return this.scores[doc]!;
  }

  /** Documents with a score above 0, unordered. Valid until the next `reset` or `accumulate`. */
  matches(): Uint32Array {
    const { scores, scoredDocs } = this;
    if (!this.isDense) return scoredDocs.subarray(0, this.scoredCount);
    let count = 0;
    for (let doc = 0; doc < scores.length; doc++) {
      if (scores[doc] !== 0) scoredDocs[count++] = doc;
    }
    return scoredDocs.subarray(0, count);
  }

  /** The best `limit` documents, best first; equal scores in the order of the document numbers. */
  topK(limit: number): ScoredDoc[] {
    return this.#collect(limit).sorted();
  }

  /**
   * `topK` after adding common terms, which it adds only to documents that can still reach the top k. The scores are
   * incomplete afterwards: only `reset` may follow.
   */
  topKWithCommonTerms(limit: number, commonTerms: readonly CommonTerm[]): ScoredDoc[] {
    const { scores, blockMaxima } = this;
    const bound = commonTerms.reduce((sum, { weight, maxScore }) => sum + weight * maxScore, 0);
    this.#computeBlockMaxima();
    // A document this far below the last of the top k cannot reach it.
    const threshold = (this.#collectDense(limit).threshold - bound) * (1 - ROUNDING_TOLERANCE);
    const top = new TopK(limit);
    for (let block = 0; block < blockMaxima.length; block++) {
      if (blockMaxima[block]! < threshold) continue;
      const end = Math.min((block + 1) * BLOCK_SIZE, scores.length);
      for (let doc = block * BLOCK_SIZE; doc < end; doc++) {
        let score = scores[doc]!;
        if (score < threshold) continue;
        for (const { scores: termScores, weight } of commonTerms) score += weight * termScores[doc]!;
        if (score > 0) top.push(doc, score);
      }
    }
    return top.sorted();
  }

  #collect(limit: number): TopK {
    if (this.isDense) {
      this.#computeBlockMaxima();
      return this.#collectDense(limit);
    }
    const { scores, scoredDocs, scoredCount } = this;
    const top = new TopK(limit);
    for (let i = 0; i < scoredCount; i++) {
      const score = scores[scoredDocs[i]!]!;
      if (score > 0) top.push(scoredDocs[i]!, score);
    }
    return top;
  }

  /** Computes the highest score of every block, so that whole blocks can be skipped. */
  #computeBlockMaxima(): void {
    const { scores, blockMaxima } = this;
    for (let block = 0; block < blockMaxima.length; block++) {
      const end = Math.min((block + 1) * BLOCK_SIZE, scores.length);
      let max = 0;
      for (let doc = block * BLOCK_SIZE; doc < end; doc++) {
        const score = scores[doc]!;
        if (score > max) max = score;
      }
      blockMaxima[block] = max;
    }
  }

  /** Requires the block maxima to be up to date. */
  #collectDense(limit: number): TopK {
    const { scores, blockMaxima } = this;
    const top = new TopK(limit);
    for (let block = 0; block < blockMaxima.length; block++) {
      if (blockMaxima[block]! < top.threshold || blockMaxima[block] === 0) continue;
      const end = Math.min((block + 1) * BLOCK_SIZE, scores.length);
      for (let doc = block * BLOCK_SIZE; doc < end; doc++) {
        const score = scores[doc]!;
        if (score > 0) top.push(doc, score);
      }
    }
    return top;
  }
}

/** Covers the rounding error of sums that were added in another order. */
const ROUNDING_TOLERANCE = 1e-9;

const NO_MATCHES: TermScores = { docs: new Uint32Array(0), scores: new Float32Array(0), maxScore: 0 };
