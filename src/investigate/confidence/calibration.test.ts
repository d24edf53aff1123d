import { expect, test } from 'vitest';
import { type AnswerOutcome, fitCalibration, recalibrate } from './calibration.ts';

const outcomes = (confidence: number, right: number, wrong: number): AnswerOutcome[] => [
  ...Array<AnswerOutcome>(right).fill({ confidence, isRight: true }),
  ...Array<AnswerOutcome>(wrong).fill({ confidence, isRight: false }),
];

test('nothing known changes nothing', () => {
  expect(fitCalibration([])).toEqual({ shift: 0, outcomes: 0 });
  expect(recalibrate(0.7, 0)).toBeCloseTo(0.7);
});

test('where answers kept what they said, nothing changes', () => {
  expect(fitCalibration(outcomes(0.8, 40, 10)).logOddsOffset).toBeCloseTo(0);
});

test.each([
  [outcomes(0.8, 25, 25), 0.52, 0.62],
  [outcomes(0.5, 45, 5), 0.78, 0.9],
  // Two misses are no pattern.
  [outcomes(0.8, 0, 2), 0.55, 0.8],
])('what is stated moves towards what came out, the further the more is known', (known, from, to) => {
  const { logOddsOffset: shift } = fitCalibration(known);
  const next = recalibrate(known[0]!.confidence, shift);
  expect(next).toBeGreaterThan(from);
  expect(next).toBeLessThan(to);
});

test('no outcome, however sure, makes it endless', () => {
  const { logOddsOffset: shift } = fitCalibration([...outcomes(1, 0, 200), ...outcomes(0, 200, 0)]);
  expect(Number.isFinite(shift)).toBe(true);
  expect(recalibrate(0, 3)).toBe(0);
});
