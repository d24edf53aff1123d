import { computeBodySignals } from './body-signals.ts';
import { computeCallSignals } from './call-signals.ts';
import {
  divideByMax,
  type FunctionCandidate,
  type FunctionInput,
  type FunctionSignals,
} from './function-candidate.ts';
import { computeNameSignals } from './name-signals.ts';

/** Larger score gaps are capped. */
const MAX_SCORE_GAP = 6;

/** Computes all signals of all candidates. `fileScoreGap` is at most 0, the others at least 0, all of similar scale. */
export function computeFunctionSignals(input: FunctionInput): FunctionSignals {
  const { candidates, space } = input;
  const each = (value: (candidate: FunctionCandidate) => number) => Float64Array.from(candidates, value);
  const bestOf = (score: (passage: number) => number) =>
    each(({ passages }) => passages.reduce((max, passage) => Math.max(max, score(passage)), 0));
  const perFile = new Map<number, number>();
  for (const { file } of candidates) perFile.set(file, (perFile.get(file) ?? 0) + 1);
  const fileOdds = each(({ fileScoreGap }) => Math.exp(fileScoreGap));
  const passageScore = divideByMax(bestOf((passage) => space.passages.score(passage)));
  const nameSignals = computeNameSignals(input);
  const relevance = fileOdds.map(
    (odds, i) => (Math.sqrt(odds) * (passageScore[i]! + nameSignals.nameTerms![i]!)) / 2,
  );
  return {
    /** Odds of its file relative to the best one, and their logarithm. */
    fileOdds,
    fileScoreGap: each(({ fileScoreGap }) => Math.max(fileScoreGap, -MAX_SCORE_GAP) / MAX_SCORE_GAP),
    /** BM25F of its best passage for the whole text, of all its passages, and of the best for the inline code. */
    passageScore,
    passageSum: divideByMax(
      each(({ passages }) => Math.hypot(...passages.map((passage) => space.passages.score(passage)))),
    ),
    inlineCodeScore: divideByMax(bestOf((passage) => space.zones.inlineCode.score(passage))),
    ...nameSignals,
    ...computeBodySignals(input),
    ...computeCallSignals(candidates, relevance),
    /** Its length, and the number of functions in its file. */
    lineCount: each(({ start, end }) => Math.log1p(end - start + 1) / 5),
    functionsInFile: each(({ file }) => Math.log1p(perFile.get(file)!) / 5),
    frames: frames(input),
  };
}

/** Functions in the stack trace, by name or by line: 1 for the innermost frame, then a half, a third and so on. */
function frames({ code, frames, candidates }: FunctionInput): Float64Array {
  return Float64Array.from(candidates, ({ file, name, start, end }) => {
    const path = code.filePath(file);
    const at = frames.findIndex((frame) => {
      if (!path.endsWith(lastTwoSegments(frame.path)) && !frame.path.endsWith(path)) return false;
      if (frame.symbol) return frame.symbol.split(/[.#:]/).at(-1) === name;
      return frame.line !== undefined && frame.line >= start && frame.line <= end;
    });
    return at < 0 ? 0 : 1 / (at + 1);
  });
}

/** `lib/x.js` of `/app/lib/x.js`: leading folders differ between machines. */
function lastTwoSegments(path: string): string {
  return path.split('/').slice(-2).join('/');
}
