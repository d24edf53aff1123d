import { partitionFiles } from '#evolution/source-files.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { measureSignals, type SignalName, type SignalValues } from '../signals/measure-signals.ts';
import type { SignalInput } from '../signals/signal.ts';
import { type EmbeddingSimilarity, measureEmbeddingSimilarity } from './embedding-similarity.ts';
import weights from './file-weights.json' with { type: 'json' };

/** Subtracted from the score of tests, documentation and examples: they mention faults but seldom contain them. */
const NON_SOURCE_PENALTY = 1;

/**
 * Weight of embedding similarity, set by hand since the fit has no embedding model: below the weight of `passages` and
 * above all other text signals, so that a good model decides between close files and a bad one cannot outvote the rest.
 */
const FILE_SIMILARITY_WEIGHT = 2;

/** Every file's signals and their weighted sum. */
interface FusedSignals {
  readonly signals: SignalValues;
  /** Null without an embedding model. */
  readonly similarity: EmbeddingSimilarity | null;
  readonly scores: Float32Array;
}

/**
 * Sums all signals by the weights in `file-weights.json`, which `bench/fit/locate.ts` fits on fixes of public
 * repositories. Without `among`, all source files are candidates; an embedding adds its similarity.
 */
export function fuseSignals(
  input: SignalInput,
  among?: readonly number[],
  embedding?: QueryEmbedding | null,
): FusedSignals {
  const { code } = input;
  const { source, nonSource } = partitionFiles(code);
  const candidates = among ?? source;
  const signals = measureSignals(input, candidates);
  const scores = new Float32Array(code.fileCount);
  for (const [name, weight] of Object.entries(weights) as [SignalName, number][]) {
    const values = signals[name];
    for (let file = 0; file < scores.length; file++) scores[file]! += weight * values[file]!;
  }
  const similarity = measureEmbeddingSimilarity(code, embedding, candidates);
  if (similarity) {
    for (let file = 0; file < scores.length; file++) {
      scores[file]! += FILE_SIMILARITY_WEIGHT * similarity.files[file]!;
    }
  }
  if (!among) for (const file of nonSource) scores[file]! -= NON_SOURCE_PENALTY;
  return { signals, similarity, scores };
}
