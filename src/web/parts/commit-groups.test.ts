import { expect, test } from 'vitest';
import { groupByAge } from './commit-groups.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

function commit(timestamp: string) {
  return { id: timestamp, hash: timestamp, message: '', author: '', timestamp, files_changed: [] };
}

test('commits are grouped by age', () => {
  const groups = groupByAge(['2026-11-20', '2026-11-19', '2026-11-02', '2024-01-01'].map(commit), NOW);
  expect(groups.map(({ age, commits }) => [age, commits.length])).toEqual([
    ['today', 1],
    ['month', 2],
    ['three_years', 1],
  ]);
});

test("a commit with an earlier or invalid date stays in its neighbors' group", () => {
  const groups = groupByAge(['2026-11-19', '2021-01-01', '', '2026-11-18', '2026-05-01'].map(commit), NOW);
  expect(groups.map(({ age, commits }) => [age, commits.length])).toEqual([
    ['month', 4],
    ['year', 1],
  ]);
});

test('no commits yield no groups', () => {
  expect(groupByAge([], NOW)).toEqual([]);
});
