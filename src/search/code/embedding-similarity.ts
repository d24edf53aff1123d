import type { CodeTable } from '#memory/repository-index.ts';
import { passageSimilarities, type QueryEmbedding } from '#memory/vectors/passage-similarity.ts';

/** Embedding similarity of passages and files to a text: 0 for most of them, 1 for the most similar. */
export interface EmbeddingSimilarity {
  readonly passages: Float32Array;
  /** The similarity of each file's most similar passage. */
  readonly files: Float32Array;
}

/**
 * The quantile of the files' cosines that maps to 0; the highest cosine maps to 1. Only the order of cosines is
 * comparable between models: unrelated texts have 0.1 with one and 0.7 with another.
 */
const BASELINE_QUANTILE = 0.9;

/** Similarities scaled over the candidate files; null without a model, with too few vectors, or when all are equal. */
export function measureEmbeddingSimilarity(
  code: CodeTable,
  embedding: QueryEmbedding | null | undefined,
  candidates: readonly number[],
): EmbeddingSimilarity | null {
  const cosines = embedding ? passageSimilarities(code, embedding) : null;
  if (cosines === null || candidates.length === 0) return null;
  const files = new Float32Array(code.fileCount);
  for (let file = 0; file < files.length; file++) {
    const { first, count } = code.filePassages(file);
    for (let passage = first; passage < first + count; passage++) {
      files[file] = Math.max(files[file]!, cosines[passage]!);
    }
  }
  const sorted = Float32Array.from(candidates, (file) => files[file]!).sort();
  const baseline = sorted[Math.floor(BASELINE_QUANTILE * (sorted.length - 1))]!;
  const span = sorted.at(-1)! - baseline;
  if (span <= 0) return null;
  const scale = (value: number) => Math.min(1, Math.max(0, (value - baseline) / span));
  return { passages: cosines.map(scale), files: files.map(scale) };
}
