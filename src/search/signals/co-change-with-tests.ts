import { partitionFiles } from '#evolution/source-files.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { coChangeScores } from './co-change-scores.ts';
import { passageScores } from './passages.ts';
import type { Signal } from './signal.ts';

const TEST = /test|spec/i;

/** Exponent of the test scores: nine tenths of the best score weighs a quarter. */
const SHARPNESS = 12;

/**
 * Co-change with the tests that match the text. Tests describe behavior in a reporter's words, and their history links
 * them to the code, whatever either is called. Runs after `passages`, whose scores it reads.
 */
export const coChangeWithTests: Signal = (input) => {
  const { code } = input;
  const scores = passageScores(input);
  const seeds = new Float32Array(code.fileCount);
  for (const file of testFiles(code)) seeds[file] = scores[file]!;
  const max = seeds.reduce((a, b) => Math.max(a, b), 0);
  if (max === 0) return seeds;
  return coChangeScores(
    input,
    seeds.map((seed) => (seed / max) ** SHARPNESS),
  );
};

const testFiles = memoizeByIdentity((code: CodeTable) =>
  partitionFiles(code).nonSource.filter((file) => TEST.test(code.filePath(file))),
);
