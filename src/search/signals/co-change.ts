import { memoizeByIdentity } from '../memoize-by-identity.ts';
import { coChangeScores } from './co-change-scores.ts';
import type { NeighborSignal } from './signal.ts';

/** How steeply a file that fits less well counts for less: half as well is nearly nothing. */
const STEEPNESS = 8;

/** Files that changed together with those that fit: a fix seldom stays in one file, and names only the first. */
export const coChange: NeighborSignal = (input, { rough }) => coChangeScores(input, sharpen(rough));

/** Files that changed together with the one or two that are likely by all that is known of them, traces among it. */
export const coChangeOfTop: NeighborSignal = (input, { odds }) => coChangeScores(input, odds);

/** Rough scores as seeds of company, 1 for the best file. */
export const sharpen = memoizeByIdentity((rough: Float32Array) => {
  const most = rough.reduce((a, b) => Math.max(a, b), 0) || 1;
  return rough.map((score) => (score / most) ** STEEPNESS);
});
