import { expect, test } from 'vitest';
import type { DebugAnswer } from '#contract/debug.ts';
import { accusedCommit, bisectCommand, statedProbabilities, verdictKind } from './verdict-claims.ts';

const COMMIT = {
  hash: 'a1'.repeat(20),
  message: 'Simplify',
  author: 'Chris',
  timestamp: '2024-02-14T10:00:00Z',
};
const STEP = {
  ...{ kind: 'suspect' as const, timestamp: COMMIT.timestamp, commit: COMMIT, path: 'a.js', hunk: null },
  ...{ why: { code: '', params: {}, text: '' }, evidence: [] },
};

function answer(fields: Partial<DebugAnswer>): DebugAnswer {
  return {
    ...{ confidence: 0.4, abstained: false, suspect_commits: [], timeline: [], places: [], evidence: [] },
    indexed_commit: 'b2'.repeat(20),
    ...fields,
  } as unknown as DebugAnswer;
}

test('a defect with a stated cause is a regression; older answers have no kind', () => {
  expect(verdictKind(answer({ kind: 'regression', cause_confidence: 0.4 }))).toBe('regression');
  expect(verdictKind(answer({ kind: 'regression', cause_confidence: null }))).toBe('defect');
  expect(verdictKind(answer({ kind: 'regression', abstained: true }))).toBe('vague');
  expect(verdictKind(answer({ kind: 'usage' }))).toBe('usage');
  expect(verdictKind(answer({}))).toBeNull();
});

test('the probabilities that are stated are shown, and that of the headline when it is neither', () => {
  const claims = (fields: Partial<DebugAnswer>) =>
    statedProbabilities(answer(fields)).map(({ claim, value }) => `${claim} ${value}`);
  expect(claims({ confidence: 0.4, place_confidence: 0.9, cause_confidence: 0.4 })).toEqual([
    'place 0.9',
    'cause 0.4',
  ]);
  expect(claims({ confidence: 0.9, place_confidence: 0.9, cause_confidence: null })).toEqual(['place 0.9']);
  expect(claims({ confidence: 0.7, place_confidence: 0.9 })).toEqual(['confidence 0.7', 'place 0.9']);
  expect(claims({ confidence: 0.75 })).toEqual(['confidence 0.75']);
  expect(claims({ confidence: 0.4, abstained: true, kind: 'foreign' })).toEqual([]);
  expect(claims({ confidence: 0, abstained: true, kind: 'regression' })).toEqual([]);
});

test('the other kind is stated behind the headline as a defect, not a regression, and not beside a proof', () => {
  const alternative = { kind: 'regression' as const, confidence: 0.3 };
  const claims = (fields: Partial<DebugAnswer>) =>
    statedProbabilities(answer({ alternative, ...fields })).map((one) =>
      one.claim === 'other' ? `${one.kind} ${one.value}` : one.claim,
    );
  expect(claims({ confidence: 0.6, place_confidence: 0.9 })).toEqual(['confidence', 'defect 0.3', 'place']);
  expect(claims({ confidence: 0.6, place_confidence: 0.6 })).toEqual(['place', 'defect 0.3']);
  expect(claims({ alternative: { kind: 'guard', confidence: 0.4 } })).toEqual(['confidence', 'guard 0.4']);
  expect(claims({ place_confidence: 0.9, proven: {} as never })).toEqual(['place']);
});

test('only a defect that is not in doubt has an accused commit, and a bisection', () => {
  const timeline = [STEP];
  expect(accusedCommit(answer({ timeline }))?.hash).toBe(COMMIT.hash);
  expect(bisectCommand(answer({ timeline, kind: 'regression' }))).toBe(
    'git bisect start b2b2b2b2b2b2 a1a1a1a1a1a1~1',
  );
  expect(accusedCommit(answer({ timeline, kind: 'guard' }))).toBeNull();
  expect(accusedCommit(answer({ timeline, abstained: true }))).toBeNull();
  expect(bisectCommand(answer({}))).toBeNull();
});
