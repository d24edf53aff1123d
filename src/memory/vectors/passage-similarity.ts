import type { CodeTable } from '../repository-index.ts';
import { vectorOfPassage } from './passage-table.ts';
import { openVectors, type QuantizedVectors } from './quantized-vectors.ts';
import type { SharedPassageVectors } from './vector-cache.ts';

/** Embedding of a query beside those of a project's passages. May be posted to other threads. */
export interface QueryEmbedding extends SharedPassageVectors {
  /** Vector of the query. */
  readonly query: Float32Array;
}

/** Share of the passages that must have a vector: below, files would win by having been embedded first. */
const MIN_COVERAGE = 0.9;

interface AttachedVectors {
  version: string;
  vectors: QuantizedVectors;
  /** Vector number of every passage; -1 for none. */
  vectorOf: Int32Array;
  isCovered: boolean;
}

const cache = new WeakMap<CodeTable, AttachedVectors>();

/**
 * Cosine similarity of every passage to the query, 0 without a vector. Null while too few passages have one, or when the
 * dimensions differ. Exact: all passages are compared.
 */
export function passageSimilarities(code: CodeTable, embedding: QueryEmbedding): Float32Array | null {
  const { query, dimensions } = embedding;
  const { vectors, vectorOf, isCovered } = attachVectors(code, embedding);
  const length = Math.hypot(...query);
  if (!isCovered || query.length !== dimensions || length === 0) return null;
  const products = vectors.products(query.map((value) => value / length));
  return Float32Array.from(vectorOf, (vector) => (vector < 0 ? 0 : products[vector]!));
}

function attachVectors(code: CodeTable, { version, vectors, table }: SharedPassageVectors): AttachedVectors {
  const cached = cache.get(code);
  if (cached?.version === version) return cached;
  const vectorOf = new Int32Array(code.passageCount).fill(-1);
  let missing = code.passageCount;
  for (let file = 0; file < code.fileCount; file++) {
    const { first, count } = code.filePassages(file);
    const blob = code.fileBlob(file);
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const vector = vectorOfPassage(table, blob, ordinal);
      if (vector >= 0 && vectorOf[first + ordinal] === -1) missing -= 1;
      vectorOf[first + ordinal] = vector;
    }
  }
  const isCovered = missing <= (1 - MIN_COVERAGE) * code.passageCount;
  const entry = { version, vectors: openVectors(vectors), vectorOf, isCovered };
  cache.set(code, entry);
  return entry;
}
