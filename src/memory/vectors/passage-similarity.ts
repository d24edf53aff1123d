import type { CodeTable } from '../repository-index.ts';
import { vectorOfPassage } from './passage-table.ts';
import { openVectors, type QuantizedVectors } from './quantized-vectors.ts';
import type { SharedPassageVectors } from './vector-cache.ts';

/** What a text means to an embedding model, beside what the passages of a project mean to it. May be posted to a thread. */
export interface QueryEmbedding extends SharedPassageVectors {
  /** The vector of the text. */
  readonly query: Float32Array;
}

/** Share of the passages that need a vector: until then files would win by having been read first. */
const MIN_COVERAGE = 0.9;

interface AttachedVectors {
  stamp: string;
  vectors: QuantizedVectors;
  /** Number of the vector of every passage; -1 for none. */
  vectorOf: Int32Array;
  isEnough: boolean;
}

const attached = new WeakMap<CodeTable, AttachedVectors>();

/**
 * How like the text every passage is: the cosine of their vectors, 0 without one. Null while too few passages have a vector,
 * or when the text's does not fit theirs. Exact: all of them are compared.
 */
export function passageSimilarities(code: CodeTable, meaning: QueryEmbedding): Float32Array | null {
  const { query, dimensions } = meaning;
  const { vectors, vectorOf, isEnough } = attachVectors(code, meaning);
  const length = Math.hypot(...query);
  if (!isEnough || query.length !== dimensions || length === 0) return null;
  const products = vectors.products(query.map((value) => value / length));
  return Float32Array.from(vectorOf, (vector) => (vector < 0 ? 0 : products[vector]!));
}

function attachVectors(code: CodeTable, { stamp, vectors, table }: SharedPassageVectors): AttachedVectors {
  const known = attached.get(code);
  if (known?.stamp === stamp) return known;
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
  const isEnough = missing <= (1 - MIN_COVERAGE) * code.passageCount;
  const entry = { stamp, vectors: openVectors(vectors), vectorOf, isEnough };
  attached.set(code, entry);
  return entry;
}
