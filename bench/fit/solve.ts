/** Solves a positive definite system by Cholesky's decomposition; only the lower triangle is read, and it is overwritten. */
export function solve(lower: number[][], right: ArrayLike<number>): number[] {
  const size = right.length;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = lower[i]![j]!;
      for (let k = 0; k < j; k++) sum -= lower[i]![k]! * lower[j]![k]!;
      lower[i]![j] = i === j ? Math.sqrt(Math.max(sum, 1e-9)) : sum / lower[j]![j]!;
    }
  }
  const solved = Array.from(right);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) solved[i]! -= lower[i]![k]! * solved[k]!;
    solved[i]! /= lower[i]![i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) solved[i]! -= lower[k]![i]! * solved[k]!;
    solved[i]! /= lower[i]![i]!;
  }
  return solved;
}
