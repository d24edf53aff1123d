import { expect, test } from 'vitest';
import { classifyTest } from './classify-test.ts';
import { makeHistory, type TestHistory } from './testing-histories.ts';

/** True when the state is right, and the range of a break holds the commit that broke it and no commit known to be good. */
function isRight(history: TestHistory): boolean {
  const { state, good, bad, candidates } = classifyTest(history);
  if (state !== history.state) return false;
  if (history.onset === null) return true;
  const order = [...history.graph.keys()];
  const at = (commit: string | null) => (commit === null ? -1 : order.indexOf(commit));
  return at(good) < at(history.onset) && at(history.onset) <= at(bad) && candidates <= at(bad) - at(good);
}

test('at least 90 % of 50 seeded histories are right', () => {
  const wrong = Array.from({ length: 50 }, (_, seed) => makeHistory(seed + 1)).filter((one) => !isRight(one));
  expect(wrong.map(({ seed, state }) => `${seed} ${state}`).length).toBeLessThanOrEqual(5);
});

const line = (outcomes: string) => {
  const commits = [...outcomes].map((_, index) => String(index));
  return {
    graph: new Map(commits.map((commit, index) => [commit, index === 0 ? [] : [String(index - 1)]])),
    head: commits.at(-1)!,
    suiteCommits: new Set(commits),
    observations: commits.flatMap((commit, index) =>
      [...(outcomes[index] === '*' ? 'pf' : outcomes[index]!)]
        .filter((one) => one !== '.')
        .map((one) => ({
          commit,
          outcome: one === 'p' ? ('passed' as const) : ('failed' as const),
          runFailureShare: 0,
        })),
    ),
  };
};

test.each([
  ['pppp', { state: 'passing' }],
  ['ppff', { state: 'broken', good: '1', bad: '2', candidates: 1 }],
  ['pp..f', { state: 'broken', good: '1', bad: '4', candidates: 3 }],
  ['pp*p', { state: 'flaky', mixed: ['2'] }],
  ['pfpfpfp', { state: 'flaky' }],
  ['ppffpp', { state: 'passing' }],
  ['..ff', { state: 'new', bad: '2', candidates: 1 }],
  ['ffff', { state: 'unknown', bad: '0' }],
  [`pp*${'p'.repeat(60)}`, { state: 'passing' }],
  [`pp*pp${'f'.repeat(5)}`, { state: 'broken', good: '4', bad: '5' }],
])('%s', (outcomes, expected) => {
  expect(classifyTest(line(outcomes))).toMatchObject(expected);
});
