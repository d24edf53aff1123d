import { isBesideTheCode } from '#evolution/fixes.ts';
import { changedWith } from './changed-with.ts';
import { bestThree } from './passages.ts';
import type { Signal } from './signal.ts';

const TEST = /test|spec/i;

/** How steeply a test that fits less well counts for less: nine tenths as well is a quarter. */
const STEEPNESS = 12;

/**
 * Files that changed together with the tests which fit the text: a test says what should happen in a reporter's
 * words, and its history says which file makes it happen, whatever either is called. Reads what the signal
 * `passages` left.
 */
export const testCompany: Signal = (input) => {
  const { code, space } = input;
  const seeds = bestThree(input, space.passages);
  let most = 0;
  for (let file = 0; file < seeds.length; file++) {
    const path = code.filePath(file);
    if (!TEST.test(path) || !isBesideTheCode(path)) seeds[file] = 0;
    most = Math.max(most, seeds[file]!);
  }
  if (most === 0) return seeds;
  return changedWith(
    input,
    seeds.map((seed) => (seed / most) ** STEEPNESS),
  );
};
