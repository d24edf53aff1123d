/** `e^(score - max)` of every score: odds relative to the best, 1 for the best itself. */
export function relativeOdds(scores: ArrayLike<number>): Float64Array {
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < scores.length; i++) max = Math.max(max, scores[i]!);
  return Float64Array.from(scores, (score) => Math.exp(score - max));
}

/** Probabilities whose logarithms differ as the scores do. */
export function softmax(scores: ArrayLike<number>): Float64Array {
  const odds = relativeOdds(scores);
  const total = odds.reduce((a, b) => a + b, 0);
  return odds.map((odd) => odd / total);
}

/** The probability of some log odds: `1 / (1 + e^-x)`. */
export function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
