import type { CodeTable } from '#memory/repository-index.ts';
import { sortFiles } from '../code/source-files.ts';
import { onceFor } from '../memoize-by-identity.ts';
import { changedWith } from './co-change-scores.ts';
import { bestByText } from './passages.ts';
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
  const { code } = input;
  const scores = bestByText(input);
  const seeds = new Float32Array(code.fileCount);
  for (const file of testFiles(code)) seeds[file] = scores[file]!;
  const most = seeds.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return seeds;
  return changedWith(
    input,
    seeds.map((seed) => (seed / most) ** STEEPNESS),
  );
};

const testFiles = onceFor((code: CodeTable) =>
  sortFiles(code).beside.filter((file) => TEST.test(code.filePath(file))),
);
