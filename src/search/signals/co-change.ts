import { onceFor } from '../memoize-by-identity.ts';
import { changedWith } from './co-change-scores.ts';
import type { NeighbourSignal } from './signal.ts';

/** How steeply a file that fits less well counts for less: half as well is nearly nothing. */
const STEEPNESS = 8;

/** Files that changed together with those that fit: a fix seldom stays in one file, and names only the first. */
export const company: NeighbourSignal = (input, { rough }) => changedWith(input, steeply(rough));

/** Files that changed together with the one or two that are likely by all that is known of them, traces among it. */
export const likelyCompany: NeighbourSignal = (input, { odds }) => changedWith(input, odds);

/** Rough scores as seeds of company, 1 for the best file. */
export const steeply = onceFor((rough: Float32Array) => {
  const most = rough.reduce((a, b) => Math.max(a, b), 0) || 1;
  return rough.map((score) => (score / most) ** STEEPNESS);
});
