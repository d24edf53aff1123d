import { expect, test } from 'vitest';
import type { BacktestCase } from '#contract/backtest.ts';
import { summarizeCases } from './summarize.ts';

function replayed(rank: number | null, confidence: number, causes: string[] = []): BacktestCase {
  const found = { expected: ['a.js'], rank };
  return {
    hash: 'a'.repeat(40),
    message: 'Fix',
    timestamp: '2024-01-01T00:00:00.000Z',
    files: found,
    functions: found,
    causes: { expected: causes, rank: causes.length > 0 ? rank : null },
    confidence,
  };
}

test('hit rates count only cases with ground truth of the kind', () => {
  const { files, causes } = summarizeCases([
    replayed(1, 0.5, ['c']),
    replayed(3, 0.5),
    replayed(5, 0.5),
    replayed(null, 0.5),
  ]);
  expect(files).toEqual({ case_count: 4, at1: 0.25, at3: 0.5, at5: 0.75 });
  expect(causes).toEqual({ case_count: 1, at1: 1, at3: 1, at5: 1 });
});

test('without cases, all rates are 0', () => {
  const { files, calibration } = summarizeCases([]);
  expect(files).toEqual({ case_count: 0, at1: 0, at3: 0, at5: 0 });
  expect(calibration).toEqual({ expected_error: 0, bins: [] });
});

test('calibration error is the gap between stated and observed rates, weighted by cases', () => {
  // Three at 0.85 with two right, one at 1 that is wrong: (3 × |0.85 − 2/3| + 1 × 1) / 4.
  const { calibration } = summarizeCases([
    replayed(1, 0.85),
    replayed(2, 0.85),
    replayed(4, 0.85),
    replayed(null, 1),
  ]);
  expect(calibration.bins.map(({ from, case_count: cases }) => [from, cases])).toEqual([
    [0.8, 3],
    [0.9, 1],
  ]);
  expect(calibration.expected_error).toBeCloseTo((3 * (0.85 - 2 / 3) + 1) / 4, 10);
});
