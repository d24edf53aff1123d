/** BM25's term frequency saturation: a higher value lets repeated occurrences count for longer. */
export const K1 = 1.2;

/** BM25's inverse document frequency; above 0 even for a term in all documents. */
export function inverseDocumentFrequency(docCount: number, matchCount: number): number {
  return Math.log(1 + (docCount - matchCount + 0.5) / (matchCount + 0.5));
}

/** `k1 · (1 - b + b · length / averageLength)`: the frequency at which a term reaches half of its maximum score. */
export function lengthNorm(length: number, averageLength: number, b: number, k1 = K1): number {
  return k1 * (1 - b + (b * length) / averageLength);
}

/** `weight · frequency · (k1 + 1) / (frequency + norm)`, where `weight` is the query weight times the idf. */
export function bm25(weight: number, frequency: number, norm: number, k1 = K1): number {
  return (weight * frequency * (k1 + 1)) / (frequency + norm);
}

/** The limit of `bm25` for frequent terms: `weight · idf · (k1 + 1)`. */
export function maxTermScore(weight: number, docCount: number, matchCount: number): number {
  return weight * inverseDocumentFrequency(docCount, matchCount) * (K1 + 1);
}

/** `maxScore · frequency / (frequency + norm)`: `bm25` for a limit that is computed once per term. */
export function saturateFrequency(maxScore: number, frequency: number, norm: number): number {
  return (maxScore * frequency) / (frequency + norm);
}
