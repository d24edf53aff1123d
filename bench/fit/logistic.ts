import { solve } from './solve.ts';

/** Rows of features with what was observed. */
interface LogisticData {
  rows: readonly (readonly number[])[];
  /** 0 or 1. */
  observed: readonly number[];
  /** Weight of each row. */
  weights: readonly number[];
}

const MAX_STEPS = 30;
const MIN_CHANGE = 1e-6;

/**
 * Weights of a logistic regression, by Newton's method:
 *
 *     loss = -sum of  weight · log p(observed)  +  ridge / 2 · |w|²   (w[0], the bias, is free)
 *
 * Convex, so that it finds the one minimum; nothing is random.
 */
export function fitLogistic({ rows, observed, weights }: LogisticData, ridge: number): number[] {
  const width = rows[0]!.length;
  const fitted = Array<number>(width).fill(0);
  for (let step = 0; step < MAX_STEPS; step++) {
    const gradient = fitted.map((one, i) => (i === 0 ? 0 : ridge * one));
    const curvature = fitted.map((_, i) => fitted.map((__, j) => (i === j && i > 0 ? ridge : 0)));
    for (const [r, row] of rows.entries()) {
      const p = predictLogistic(row, fitted);
      const [slope, bend] = [weights[r]! * (p - observed[r]!), weights[r]! * p * (1 - p)];
      for (let i = 0; i < width; i++) {
        const value = row[i]!;
        if (value === 0) continue;
        gradient[i]! += slope * value;
        const line = curvature[i]!;
        for (let j = 0; j <= i; j++) line[j]! += bend * value * row[j]!;
      }
    }
    const change = solve(curvature, gradient);
    for (let i = 0; i < width; i++) fitted[i]! -= change[i]!;
    if (Math.max(...change.map(Math.abs)) < MIN_CHANGE) break;
  }
  return fitted;
}

/** Probability of a row, whose first value is 1 for the bias. */
export function predictLogistic(row: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += row[i]! * weights[i]!;
  return 1 / (1 + Math.exp(-sum));
}
