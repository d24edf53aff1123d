import type { FieldIndex } from '#memory/memory.ts';
import { best, type Hit } from './best.ts';

/** How quickly more occurrences of a term stop mattering, as in BM25. */
const SATURATION = 1.2;

/** A field, how much one occurrence in it counts, and how strongly long documents are discounted (0 to 1). */
export interface ScoredField {
  readonly index: FieldIndex;
  readonly weight: number;
  readonly lengthPenalty: number;
}

/**
 * BM25F over dense document numbers, term at a time, without allocating anything per document.
 *
 *   frequency(d) = Σ over fields of  weight · count / (1 - b + b · length / average)
 *   score(d)    += termWeight · idf · frequency · (k + 1) / (frequency + k)
 *
 * The arrays are as long as there are documents and are cleared through the list of those touched, so that a
 * query costs what its postings cost, however large the memory is.
 */
export class Scorer {
  private readonly scores: Float64Array;
  private readonly scored: Uint32Array;
  private readonly frequencies: Float64Array;
  private readonly matched: Uint32Array;
  private scoredCount = 0;
  private matchedCount = 0;

  constructor(documents: number) {
    this.scores = new Float64Array(documents);
    this.scored = new Uint32Array(documents);
    this.frequencies = new Float64Array(documents);
    this.matched = new Uint32Array(documents);
  }

  /** Forgets the query before. */
  start(): void {
    for (let i = 0; i < this.scoredCount; i++) this.scores[this.scored[i]!] = 0;
    this.scoredCount = 0;
  }

  /** Adds a field's occurrences of the current term. */
  addField(field: ScoredField, term: string): void {
    const postings = field.index.postings(term);
    if (!postings) return;
    const { docs, counts } = postings;
    const { lengths, averageLength } = field.index;
    const floor = 1 - field.lengthPenalty;
    const slope = field.lengthPenalty / (averageLength || 1);
    for (let i = 0; i < docs.length; i++) {
      const document = docs[i]!;
      this.add(document, (field.weight * counts[i]!) / (floor + slope * lengths[document]!));
    }
  }

  /** Adds occurrences of the current term, already weighed, to one document. */
  add(document: number, frequency: number): void {
    if (this.frequencies[document] === 0) this.matched[this.matchedCount++] = document;
    this.frequencies[document]! += frequency;
  }

  /**
   * Turns the current term's occurrences into scores; `weight` is the term's weight in the query. `others`, over
   * the same documents, get the same by weights of their own. Returns the most that a document can have got for
   * it: 0 when none has the term.
   */
  endTerm(weight: number, others: readonly { scorer: Scorer; weight: number }[] = []): number {
    if (this.matchedCount === 0) return 0;
    const idf = inverseFrequency(this.scores.length, this.matchedCount);
    const gain = idf * (SATURATION + 1);
    for (let i = 0; i < this.matchedCount; i++) {
      const document = this.matched[i]!;
      const frequency = this.frequencies[document]!;
      this.frequencies[document] = 0;
      const worth = (gain * frequency) / (frequency + SATURATION);
      this.addScore(document, weight * worth);
      for (const other of others) other.scorer.addScore(document, other.weight * worth);
    }
    this.matchedCount = 0;
    return weight * gain;
  }

  private addScore(document: number, worth: number): void {
    if (this.scores[document] === 0) this.scored[this.scoredCount++] = document;
    this.scores[document]! += worth;
  }

  score(document: number): number {
    return this.scores[document]!;
  }

  /** Documents with a score above 0, in no order. Valid until the next `start`. */
  documents(): Uint32Array {
    return this.scored.subarray(0, this.scoredCount);
  }

  /** The best `limit` documents, best first; equal scores in the order of their numbers. */
  best(limit: number): Hit[] {
    return best(this.documents(), (document) => this.scores[document]!, limit);
  }
}

/** How much a term tells that stands in `matches` of `documents` documents; above 0 even when in all of them. */
export function inverseFrequency(documents: number, matches: number): number {
  return Math.log(1 + (documents - matches + 0.5) / (matches + 0.5));
}
