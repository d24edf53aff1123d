import {
  type FunctionCandidate,
  type FunctionInput,
  type FunctionSignals,
  normalizeByMax,
} from './function-candidate.ts';
import { computeNameSignals } from './name-signals.ts';

/** Differences beyond this are all alike. */
const MAX_SCORE_GAP = 6;

/** Measures every signal of every candidate. `behind` is at most 0; the others are at least 0, and all are of about one size. */
export function computeFunctionSignals(input: FunctionInput): FunctionSignals {
  const { candidates, space } = input;
  const each = (value: (candidate: FunctionCandidate) => number) => Float64Array.from(candidates, value);
  const bestOf = (score: (passage: number) => number) =>
    each(({ passages }) => passages.reduce((most, passage) => Math.max(most, score(passage)), 0));
  const perFile = new Map<number, number>();
  for (const { file } of candidates) perFile.set(file, (perFile.get(file) ?? 0) + 1);
  return {
    /** How likely its file is beside the best one, and the logarithm of that. */
    file: each(({ fileScoreGap: behind }) => Math.exp(behind)),
    behind: each(({ fileScoreGap: behind }) => Math.max(behind, -MAX_SCORE_GAP) / MAX_SCORE_GAP),
    /** BM25F of its best passage for the whole text, and for what stands in backticks. */
    words: normalizeByMax(bestOf((passage) => space.passages.score(passage))),
    quoted: normalizeByMax(bestOf((passage) => space.zones.quoted.score(passage))),
    ...computeNameSignals(input),
    /** How much of it there is, and how many others its file has. */
    rows: each(({ start, end }) => Math.log1p(end - start + 1) / 5),
    crowd: each(({ file }) => Math.log1p(perFile.get(file)!) / 5),
    frames: frames(input),
  };
}

/** Functions that a trace names in their files, or that hold the line it names: 1 for the innermost frame, then a half. */
function frames({ code, frames, candidates }: FunctionInput): Float64Array {
  return Float64Array.from(candidates, ({ file, symbol, start, end }) => {
    const name = symbol.slice(symbol.lastIndexOf('.') + 1);
    const path = code.filePath(file);
    const at = frames.findIndex((frame) => {
      if (!path.endsWith(lastTwoSegments(frame.path)) && !frame.path.endsWith(path)) return false;
      if (frame.symbol) return frame.symbol.split(/[.#:]/).at(-1) === name;
      return frame.line !== undefined && frame.line >= start && frame.line <= end;
    });
    return at < 0 ? 0 : 1 / (at + 1);
  });
}

/** A path without its first folders, which differ from machine to machine: `/app/lib/x.js` is `/lib/x.js`. */
function lastTwoSegments(path: string): string {
  return path.split('/').slice(-2).join('/');
}
