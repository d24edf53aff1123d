import { changedWith } from './changed-with.ts';
import type { NeighbourSignal } from './signal.ts';

/** How steeply a file that fits less well counts for less: half as well is nearly nothing. */
const STEEPNESS = 8;

/** Files that changed together with those that fit: a fix seldom stays in one file, and names only the first. */
export const company: NeighbourSignal = (input, first) => {
  const most = first.reduce((a, b) => Math.max(a, b), 0) || 1;
  return changedWith(
    input,
    first.map((score) => (score / most) ** STEEPNESS),
  );
};
