import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { type SignalValues, measureSignals, type SignalName } from '../signals/measure-signals.ts';
import type { SignalInput } from '../signals/signal.ts';
import { measureEmbeddingSimilarity, type EmbeddingSimilarity } from './embedding-similarity.ts';
import weights from './file-weights.json' with { type: 'json' };
import { partitionFiles } from './source-files.ts';

/** What a file loses for being a test, documentation or an example: they talk of faults but seldom hold them. */
const NON_SOURCE_PENALTY = 1;

/**
 * What the file nearest in meaning gains. It can't be fitted here, where no embedding model is: it is set below the best
 * passages by words and above all other words, so that a good model decides between files that words leave close, and a
 * bad one does not outvote words, paths and history that agree.
 */
const EMBEDDING_WEIGHT = 2;

/** Every file's signals and their weighted sum. */
export interface FusedSignals {
  readonly signals: SignalValues;
  /** Null without an embedding model. */
  readonly similarity: EmbeddingSimilarity | null;
  readonly scores: Float32Array;
}

/**
 * Measures all signals and adds them up by `file-weights.json`, which `bench/fit/locate.ts` fits on fixes of public
 * repositories. `among` are the files that may be meant: those of the program when nothing is said. With `meaning`, nearness
 * by an embedding model adds to them.
 */
export function fuseSignals(input: SignalInput, among?: readonly number[], meaning?: QueryEmbedding | null): FusedSignals {
  const { code } = input;
  const { program, beside } = partitionFiles(code);
  const candidates = among ?? program;
  const measured = measureSignals(input, candidates);
  const scores = new Float32Array(code.fileCount);
  for (const [name, weight] of Object.entries(weights) as [SignalName, number][]) {
    const values = measured[name];
    for (let file = 0; file < scores.length; file++) scores[file]! += weight * values[file]!;
  }
  const nearness = measureEmbeddingSimilarity(code, meaning, candidates);
  if (nearness) {
    for (let file = 0; file < scores.length; file++) scores[file]! += EMBEDDING_WEIGHT * nearness.files[file]!;
  }
  if (!among) for (const file of beside) scores[file]! -= NON_SOURCE_PENALTY;
  return { signals: measured, similarity: nearness, scores };
}
