import { relativeOdds } from '../../src/investigate/locate/softmax.ts';

/** Candidates of one question as rows of features, and which of them are right. */
export interface Listing {
  /** Row after row, `width` numbers each. */
  rows: Float32Array;
  count: number;
  right: readonly number[];
}

interface FitOptions {
  width: number;
  /** Strength of the pull towards `prior`, in the loss's own unit: nats a listing. */
  ridge: number;
  /** Prior weights; zeros when absent. */
  prior?: Float64Array;
  /** Start of the gradient descent; the prior when absent. */
  from?: Float64Array;
  /** Features that are not there: their weights are 0. */
  without?: ReadonlySet<number>;
  steps: number;
}

/**
 * Weights of a linear listwise softmax: they make the right candidates likely among those of their listing.
 *
 *     loss = mean over listings of  -mean over right r of log softmax(w·x)[r among r and the wrong]
 *            + ridge · |w - prior|²
 *
 * so that right candidates never compete with each other.
 *
 * Convex, so plain descent with momentum and steps by feature (Adam) finds the one minimum; nothing is random.
 */
export function fitListwise(listings: readonly Listing[], options: FitOptions): Float64Array {
  const { width, ridge, steps, without } = options;
  const prior = options.prior ?? new Float64Array(width);
  const weights = Float64Array.from(options.from ?? prior);
  const [mean, square] = [new Float64Array(width), new Float64Array(width)];
  for (let step = 1; step <= steps; step++) {
    const gradient = gradientOf(listings, weights, width);
    const rate = RATE * Math.min(1, 2 * (1 - (step - 1) / steps));
    for (let i = 0; i < width; i++) {
      const slope = gradient[i]! / listings.length + 2 * ridge * (weights[i]! - prior[i]!);
      mean[i] = FIRST_MOMENT_DECAY * mean[i]! + (1 - FIRST_MOMENT_DECAY) * slope;
      square[i] = SECOND_MOMENT_DECAY * square[i]! + (1 - SECOND_MOMENT_DECAY) * slope * slope;
      const [m, s] = [
        mean[i]! / (1 - FIRST_MOMENT_DECAY ** step),
        square[i]! / (1 - SECOND_MOMENT_DECAY ** step),
      ];
      weights[i]! -= (rate * m) / (Math.sqrt(s) + 1e-8);
      if (without?.has(i)) weights[i] = 0;
    }
  }
  return weights;
}

const RATE = 0.1;
const [FIRST_MOMENT_DECAY, SECOND_MOMENT_DECAY] = [0.9, 0.99];

function gradientOf(listings: readonly Listing[], weights: Float64Array, width: number): Float64Array {
  const gradient = new Float64Array(width);
  for (const { rows, count, right } of listings) {
    const slopes = slopesOf(scoresOf(rows, count, weights), right);
    for (let row = 0; row < count; row++) {
      const slope = slopes[row]!;
      if (Math.abs(slope) < 1e-7) continue;
      for (let i = 0, at = row * width; i < width; i++) gradient[i]! += slope * rows[at + i]!;
    }
  }
  return gradient;
}

/** The weighted sum of every row. */
export function scoresOf(rows: Float32Array, count: number, weights: Float64Array): Float64Array {
  const scores = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    let sum = 0;
    for (let i = 0, at = row * weights.length; i < weights.length; i++) sum += weights[i]! * rows[at + i]!;
    scores[row] = sum;
  }
  return scores;
}

/** Gradient of the loss of one listing with respect to the scores of its candidates. */
function slopesOf(scores: Float64Array, right: readonly number[]): Float64Array {
  const odds = relativeOdds(scores);
  const rightOdds = right.map((row) => odds[row]!);
  for (const row of right) odds[row] = 0;
  const wrong = odds.reduce((a, b) => a + b, 0);
  const pull = rightOdds.reduce((sum, own) => sum + 1 / (wrong + own), 0) / right.length;
  const slopes = odds.map((own) => own * pull);
  right.forEach((row, i) => {
    slopes[row] = (rightOdds[i]! / (wrong + rightOdds[i]!) - 1) / right.length;
  });
  return slopes;
}
