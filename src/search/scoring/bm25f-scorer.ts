import type { FieldIndex } from '#memory/repository-index.ts';
import { TopK, type ScoredDoc } from './top-k.ts';

/** How quickly more occurrences of a term stop mattering, as in BM25. */
const K1 = 1.2;

/** As long as fewer than this share of all documents have a score, they are listed. */
const SPARSE_SHARE = 1 / 16;

/** A field, how much one occurrence in it counts, and how strongly long documents are discounted (0 to 1). */
export interface ScoredField {
  readonly index: FieldIndex;
  readonly weight: number;
  readonly lengthPenalty: number;
}

/** Documents of which the highest score is known together. */
const BLOCK_SIZE = 64;

/** Of a term that more than this share of all documents have, the worth in every document is written down. */
const COMMON_TERM_SHARE = 1 / 3;

/** What a term is worth, at a weight of 1 in the query, in each document that has it; a document stands there once. */
export interface TermScores {
  /** Null of a common term: then `values` has one for every document, most of them above 0. */
  readonly docs: Uint32Array | null;
  readonly scores: Float32Array;
  /** The most that a document can get for the term: 0 when none has it. */
  readonly maxScore: number;
}

/**
 * BM25F over dense document numbers, term at a time, without allocating anything per document.
 *
 *   frequency(d) = Σ over fields of  weight · count / (1 - b + b · length / average)
 *   worth(d)     = idf · frequency · (k + 1) / (frequency + k)
 *   score(d)    += termWeight · worth(d)
 *
 * The arrays are as long as there are documents. As long as few have a score those are listed, so that a query costs
 * what its postings cost, however large the memory is; of many, going through all costs less than the list.
 */
export class Bm25fScorer {
  private readonly scores: Float64Array;
  private readonly scoredDocs: Uint32Array;
  private readonly frequencies: Float64Array;
  private readonly matchedDocs: Uint32Array;
  /** Of each block of documents, for `best`. */
  private readonly blockMaxima: Float64Array;
  private scoredCount = 0;
  /** So many have a score that they are listed no more. */
  private isDense = false;
  private matchedCount = 0;
  /** Of all documents. */
  readonly docCount: number;
  /** Whose scores these are, where whoever added them up says so; null from `start` on. */
  queryTerms: readonly object[] | null = null;

  constructor(docs: number) {
    this.docCount = docs;
    this.scores = new Float64Array(docs);
    this.scoredDocs = new Uint32Array(docs);
    this.frequencies = new Float64Array(docs);
    this.matchedDocs = new Uint32Array(docs);
    this.blockMaxima = new Float64Array(Math.ceil(docs / BLOCK_SIZE));
  }

  /** Forgets the query before. */
  reset(): void {
    const { scores, scoredDocs: scored, scoredCount } = this;
    if (this.isDense) scores.fill(0);
    else for (let i = 0; i < scoredCount; i++) scores[scored[i]!] = 0;
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
    const { frequencies, matchedDocs: matched } = this;
    let { matchedCount } = this;
    for (let i = 0; i < docs.length; i++) {
      const document = docs[i]!;
      const before = frequencies[document]!;
      if (before === 0) matched[matchedCount++] = document;
      frequencies[document] = before + (weight * counts[i]!) / (floor + slope * lengths[document]!);
    }
    this.matchedCount = matchedCount;
  }

  /** Adds occurrences of the current term, already weighed, to one document. */
  addFrequency(document: number, frequency: number): void {
    if (this.frequencies[document] === 0) this.matchedDocs[this.matchedCount++] = document;
    this.frequencies[document]! += frequency;
  }

  /** Ends the current term: what its occurrences are worth, for `addWorths`. */
  finishTerm(): TermScores {
    const { frequencies, matchedCount, docCount: count } = this;
    if (matchedCount === 0) return NO_MATCHES;
    const isCommon = matchedCount > count * COMMON_TERM_SHARE;
    const docs = isCommon ? this.matchedDocs : this.matchedDocs.slice(0, matchedCount);
    const values = new Float32Array(isCommon ? count : matchedCount);
    const most = inverseDocumentFrequency(this.scores.length, matchedCount) * (K1 + 1);
    for (let i = 0; i < matchedCount; i++) {
      const document = docs[i]!;
      const frequency = frequencies[document]!;
      frequencies[document] = 0;
      values[isCommon ? document : i] = (most * frequency) / (frequency + K1);
    }
    this.matchedCount = 0;
    return { docs: isCommon ? null : docs, scores: values, maxScore: most };
  }

  /** Adds what a term is worth to the scores; `weight` is the term's weight in the query. */
  accumulate({ docs, scores: values }: TermScores, weight: number): void {
    const { scores, scoredDocs: scored } = this;
    let { scoredCount } = this;
    this.isDense ||= docs === null || scoredCount + docs.length > this.docCount * SPARSE_SHARE;
    if (docs === null) {
      for (let document = 0; document < values.length; document++)
        scores[document]! += weight * values[document]!;
      return;
    }
    if (this.isDense) {
      for (let i = 0; i < docs.length; i++) scores[docs[i]!]! += weight * values[i]!;
      return;
    }
    for (let i = 0; i < docs.length; i++) {
      const document = docs[i]!;
      const before = scores[document]!;
      if (before === 0) scored[scoredCount++] = document;
      scores[document] = before + weight * values[i]!;
    }
    this.scoredCount = scoredCount;
  }

  score(document: number): number {
    return this.scores[document]!;
  }

  /** Documents with a score above 0, in no order. Valid until the next `start` or `addWorths`. */
  documents(): Uint32Array {
    const { scores, scoredDocs: scored } = this;
    if (!this.isDense) return scored.subarray(0, this.scoredCount);
    let found = 0;
    for (let document = 0; document < scores.length; document++) {
      if (scores[document] !== 0) scored[found++] = document;
    }
    return scored.subarray(0, found);
  }

  /** The best `limit` documents, best first; equal scores in the order of their numbers. */
  topK(limit: number): ScoredDoc[] {
    return this.#collect(limit).sorted();
  }

  /**
   * The same, with what common terms add to those documents that they can still lift among the best. Behind it the
   * scores are not whole: no other method but `start` may be called.
   */
  topKWithCommonTerms(limit: number, common: readonly { values: Float32Array; weight: number; most: number }[]): ScoredDoc[] {
    const { scores, blockMaxima: highest } = this;
    const rest = common.reduce((sum, { weight, most }) => sum + weight * most, 0);
    this.#measureBlocks();
    // A document that lacks more than this to the last of the best so far can't come among them.
    const least = (this.#collectDense(limit).threshold - rest) * (1 - ROUNDING_TOLERANCE);
    const kept = new TopK(limit);
    for (let block = 0; block < highest.length; block++) {
      if (highest[block]! < least) continue;
      const end = Math.min((block + 1) * BLOCK_SIZE, scores.length);
      for (let document = block * BLOCK_SIZE; document < end; document++) {
        let score = scores[document]!;
        if (score < least) continue;
        for (const { values, weight } of common) score += weight * values[document]!;
        if (score > 0) kept.push(document, score);
      }
    }
    return kept.sorted();
  }

  #collect(limit: number): TopK {
    if (this.isDense) {
      this.#measureBlocks();
      return this.#collectDense(limit);
    }
    const { scores, scoredDocs: scored, scoredCount } = this;
    const kept = new TopK(limit);
    for (let i = 0; i < scoredCount; i++) {
      const score = scores[scored[i]!]!;
      if (score > 0) kept.push(scored[i]!, score);
    }
    return kept;
  }

  /** The highest score in every block, with which most of a block's documents need not be looked at one by one. */
  #measureBlocks(): void {
    const { scores, blockMaxima: highest } = this;
    for (let block = 0; block < highest.length; block++) {
      const end = Math.min((block + 1) * BLOCK_SIZE, scores.length);
      let most = 0;
      for (let document = block * BLOCK_SIZE; document < end; document++) {
        const score = scores[document]!;
        if (score > most) most = score;
      }
      highest[block] = most;
    }
  }

  /** Behind `#measureBlocks`. */
  #collectDense(limit: number): TopK {
    const { scores, blockMaxima: highest } = this;
    const kept = new TopK(limit);
    for (let block = 0; block < highest.length; block++) {
      if (highest[block]! < kept.threshold || highest[block] === 0) continue;
      const end = Math.min((block + 1) * BLOCK_SIZE, scores.length);
      for (let document = block * BLOCK_SIZE; document < end; document++) {
        const score = scores[document]!;
        if (score > 0) kept.push(document, score);
      }
    }
    return kept;
  }
}

/** Sums that were added in another order differ in the last digits. */
const ROUNDING_TOLERANCE = 1e-9;

const NO_MATCHES: TermScores = { docs: new Uint32Array(0), scores: new Float32Array(0), maxScore: 0 };

/** How much a term tells that stands in `matches` of `documents` documents; above 0 even when in all of them. */
export function inverseDocumentFrequency(documents: number, matches: number): number {
  return Math.log(1 + (documents - matches + 0.5) / (matches + 0.5));
}
