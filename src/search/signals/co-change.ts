import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import { coChangeScores } from './co-change-scores.ts';
import type { NeighborSignal } from './signal.ts';

/** Exponent of the scores: half of the best score weighs nearly nothing. */
const SHARPNESS = 8;

/** Co-change with matching files: a fix seldom stays in the one file that a report names. */
export const coChange: NeighborSignal = (input, { rough }) => coChangeScores(input, sharpen(rough));

/** Co-change with the one or two files that are likely by all signals of the first pass, stack frames included. */
export const coChangeOfTop: NeighborSignal = (input, { odds }) => coChangeScores(input, odds);

/** Sharpens scores into seeds for co-change, 1 for the best file. */
export const sharpen = memoizeByIdentity((rough: Float32Array) => {
  const max = rough.reduce((a, b) => Math.max(a, b), 0) || 1;
  return rough.map((score) => (score / max) ** SHARPNESS);
});
