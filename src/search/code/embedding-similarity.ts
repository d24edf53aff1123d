import type { CodeTable } from '#memory/repository-index.ts';
import { type QueryEmbedding, passageSimilarities } from '#memory/vectors/passage-similarity.ts';

/** How near passages and files are to a text by an embedding model: 0 for most of them, 1 for the nearest. */
export interface EmbeddingSimilarity {
  readonly passages: Float32Array;
  /** That of a file's nearest passage. */
  readonly files: Float32Array;
}

/**
 * Files beyond this share count as not near at all. Of a model only the order of its cosines can be trusted: what is unrelated has
 * 0.1 with one and 0.7 with another. So the level of most files is taken for nothing, and the nearest for 1.
 */
const BASELINE_QUANTILE = 0.9;

/** Nearness over the files that may be meant; null where meaning says nothing: no model, too few vectors, all alike. */
export function measureEmbeddingSimilarity(
  code: CodeTable,
  meaning: QueryEmbedding | null | undefined,
  candidates: readonly number[],
): EmbeddingSimilarity | null {
  const likeness = meaning ? passageSimilarities(code, meaning) : null;
  if (likeness === null || candidates.length === 0) return null;
  const files = new Float32Array(code.fileCount);
  for (let file = 0; file < files.length; file++) {
    const { first, count } = code.filePassages(file);
    for (let passage = first; passage < first + count; passage++) {
      files[file] = Math.max(files[file]!, likeness[passage]!);
    }
  }
  const sorted = Float32Array.from(candidates, (file) => files[file]!).sort();
  const level = sorted[Math.floor(BASELINE_QUANTILE * (sorted.length - 1))]!;
  const span = sorted.at(-1)! - level;
  if (span <= 0) return null;
  const scale = (value: number) => Math.min(1, Math.max(0, (value - level) / span));
  return { passages: likeness.map(scale), files: files.map(scale) };
}
