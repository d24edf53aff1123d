import type { CodeTable, CommitTable } from '../../src/memory/repository-index.ts';
import { type QuantizedVectors, quantize } from '../../src/memory/vectors/quantized-vectors.ts';
import { DIMENSIONS } from './dimensions.ts';
import { embedRows } from './embed-rows.ts';
import { readEvidence } from './evidence.ts';

/** Any seed will do, as long as it stays. */
const SEED = 7;

/** Added to a vector's length before it is divided by it: what little is known of a file makes it like few others. */
const DOUBT = 0.05;

/**
 * A vector for every file, in the order of the files: near each other are those that change together and whose paths
 * and names have words in common. The built-in embedder: it knows this project only, and needs no download.
 */
export function learnFileVectors(code: CodeTable, commits: CommitTable): QuantizedVectors {
  const vectors = embedRows(readEvidence(code, commits), DIMENSIONS, SEED);
  for (let start = 0; start < vectors.length; start += DIMENSIONS) {
    const vector = vectors.subarray(start, start + DIMENSIONS);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) + DOUBT;
    for (let i = 0; i < DIMENSIONS; i++) vector[i]! /= length;
  }
  return quantize(vectors, DIMENSIONS);
}
