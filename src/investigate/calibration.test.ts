import { expect, test } from 'vitest';
import { type AnswerOutcome, fitCalibration, recalibrate } from './calibration.ts';

const outcomes = (confidence: number, right: number, wrong: number): AnswerOutcome[] => [
  ...Array<AnswerOutcome>(right).fill({ confidence, isRight: true }),
  ...Array<AnswerOutcome>(wrong).fill({ confidence, isRight: false }),
];

test('without outcomes, nothing changes', () => {
  expect(fitCalibration([])).toEqual({ logOddsOffset: 0, sampleCount: 0 });
  expect(recalibrate(0.7, 0)).toBeCloseTo(0.7);
});

test('well-calibrated answers change nothing', () => {
  expect(fitCalibration(outcomes(0.8, 40, 10)).logOddsOffset).toBeCloseTo(0);
});

test.each([
  [outcomes(0.8, 25, 25), 0.52, 0.62],
  [outcomes(0.5, 45, 5), 0.78, 0.9],
  // Two misses are weak evidence.
  [outcomes(0.8, 0, 2), 0.55, 0.8],
])('confidence moves towards the observed rate, further with more outcomes', (samples, from, to) => {
  const { logOddsOffset } = fitCalibration(samples);
  const next = recalibrate(samples[0]!.confidence, logOddsOffset);
  expect(next).toBeGreaterThan(from);
  expect(next).toBeLessThan(to);
});

test('certain outcomes keep the offset finite', () => {
  const { logOddsOffset } = fitCalibration([...outcomes(1, 0, 200), ...outcomes(0, 200, 0)]);
  expect(Number.isFinite(logOddsOffset)).toBe(true);
  expect(recalibrate(0, 3)).toBe(0);
});
