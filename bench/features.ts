import { parseTrace } from '../src/investigate/trace/read-trace.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import type { QueryEmbedding } from '../src/memory/vectors/passage-similarity.ts';
import { measureEmbeddingSimilarity } from '../src/search/code/embedding-similarity.ts';
import { parseQuery } from '../src/search/lexical/parse-query.ts';
import { workspaceOf } from '../src/search/lexical/workspace.ts';
import { measureSignals, type SignalName } from '../src/search/signals/measure-signals.ts';
import type { FrameHint } from '../src/search/signals/signal.ts';
import type { Instance } from './options.ts';

/** The signals of every candidate of an instance: a line of what `bench/fit/locate.ts` reads. */
export interface FeatureLine {
  instance_id: string;
  repo: string;
  language: string;
  /** Characters of the text. */
  length: number;
  signals: (SignalName | 'embedding')[];
  /** Places among the candidates of the files that were right; those that are no candidates count as missed. */
  gold: number[];
  missed: number;
  candidates: number;
  /** Base64 of little-endian 32-bit floats: every candidate's value, signal by signal. */
  values: string;
}

/** Features of a text besides its words: locations of a trace and messages printed by code. */
export function extractHints(text: string): { frames: FrameHint[]; literals: string[] } {
  const trace = parseTrace(text);
  const frames = trace.frames.map(({ path, line, symbol }) => ({ path, line: line ?? undefined, symbol }));
  const literals = [trace.message, ...trace.related.map(({ message }) => message)];
  return {
    frames,
    literals: trace.errorType === null ? [] : literals.filter((message) => message.length > 0),
  };
}

/** Measures an instance for fitting. */
export function collectFeatures(
  index: RepositoryIndex,
  instance: Instance,
  candidates: readonly number[],
  embedding: QueryEmbedding | null = null,
): FeatureLine {
  const { code: space, history } = workspaceOf(index);
  const code = index.code!;
  const query = parseQuery(instance.problem_statement);
  const hints = extractHints(instance.problem_statement);
  const measured = measureSignals({ index, code, query, ...hints, space: space!, history }, candidates);
  const similarity = measureEmbeddingSimilarity(code, embedding, candidates);
  const all = similarity ? { ...measured, embedding: similarity.files } : measured;
  const signals = Object.keys(all) as FeatureLine['signals'];
  const values = new Float32Array(signals.length * candidates.length);
  signals.forEach((name, row) => {
    candidates.forEach((file, column) => {
      values[row * candidates.length + column] = (name === 'embedding' ? similarity!.files : measured[name])[
        file
      ]!;
    });
  });
  const places = instance.gold_files.map((path) => candidates.indexOf(code.fileNumber(path)));
  const { instance_id, repo, language } = instance;
  return {
    ...{ instance_id, repo, language, signals },
    length: query.text.length,
    gold: places.filter((place) => place >= 0),
    missed: places.filter((place) => place < 0).length,
    candidates: candidates.length,
    values: Buffer.from(values.buffer).toString('base64'),
  };
}
