import { expect, test } from 'vitest';
import { inverseDocumentFrequency } from '../lexical/bm25.ts';
import type { Candidates } from './candidates.ts';
import { rescaleScores } from './rescale-scores.ts';

/** Passages of a project that contain `blueprint` and `register`, and one candidate that contains the chosen words. */
function project(docCount: number, matchCounts: [number, number], contained: number[]): Candidates {
  const idf = matchCounts.map((matchCount) => inverseDocumentFrequency(docCount, matchCount));
  return {
    found: [
      {
        score: contained.reduce((sum, term) => sum + idf[term]!, 0),
        facets: { project: 'p' },
        load: () => {
          throw new Error('not read');
        },
      },
    ],
    complete: true,
    statistics: { docCount, terms: matchCounts.map((matchCount) => ({ weight: 1, matchCount })) },
  };
}

test('a word that is rare in one project only does not outweigh the project that has both words', () => {
  const large = project(55_000, [1, 300], [0]);
  const about = project(2_000, [150, 100], [0, 1]);
  const scores = (lists: readonly Candidates[]) => lists.map(({ found }) => found[0]!.score);
  const [before, after] = [scores([large, about]), scores(rescaleScores([large, about]))];
  expect(before[0]).toBeGreaterThan(before[1]!);
  expect(after[0]).toBeLessThan(after[1]!);
});

test('scores of one project, and of searches without statistics, stay as they are', () => {
  const one = [project(100, [1, 1], [0])];
  expect(rescaleScores(one)).toBe(one);
  const { statistics, ...plain } = project(100, [1, 1], [0]);
  const lists = [plain, { ...plain, statistics: null }];
  expect(rescaleScores(lists)).toBe(lists);
});
