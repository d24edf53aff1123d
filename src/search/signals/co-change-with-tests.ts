import type { CodeTable } from '#memory/repository-index.ts';
import { partitionFiles } from '../code/source-files.ts';
import { memoizeByIdentity } from '../memoize-by-identity.ts';
import { coChangeScores } from './co-change-scores.ts';
import { passageScores } from './passages.ts';
import type { Signal } from './signal.ts';

const TEST = /test|spec/i;

/** How steeply a test that fits less well counts for less: nine tenths as well is a quarter. */
const STEEPNESS = 12;

/**
 * Files that changed together with the tests which fit the text: a test says what should happen in a reporter's
 * words, and its history says which file makes it happen, whatever either is called. Reads what the signal
 * `passages` left.
 */
export const coChangeWithTests: Signal = (input) => {
  const { code } = input;
  const scores = passageScores(input);
  const seeds = new Float32Array(code.fileCount);
  for (const file of testFiles(code)) seeds[file] = scores[file]!;
  const most = seeds.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return seeds;
  return coChangeScores(
    input,
    seeds.map((seed) => (seed / most) ** STEEPNESS),
  );
};

const testFiles = memoizeByIdentity((code: CodeTable) =>
  partitionFiles(code).beside.filter((file) => TEST.test(code.filePath(file))),
);
