/** An earlier answer about a project of which it is known whether it was right, and what was stated of it, 0 to 1. */
export interface AnswerOutcome {
  confidence: number;
  right: boolean;
}

/** What the known outcomes of a project say of the next answer about it. */
export interface Calibration {
  /** Added to the log odds of what is stated: below 0 where answers turned out worse than they said. */
  shift: number;
  /** How many outcomes it was learned from. */
  outcomes: number;
}

/** Log odds by which projects differ, as a standard deviation: a handful of outcomes moves little. */
const PRIOR_DEVIATION = 0.7;
const NEWTON_STEPS = 20;
/** What is stated is never so sure that one miss would count without end. */
const MAX_STATED = 0.98;

/**
 * How much surer or less sure answers about a project should be than the weights of all projects state: the likeliest
 * shift of the log odds under a normal prior (recalibration in the large, Steyerberg 2009, with shrinkage).
 */
export function fitCalibration(known: readonly AnswerOutcome[]): Calibration {
  const stated = known.map(({ confidence }) => logOdds(confidence));
  let shift = 0;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let slope = -shift / PRIOR_DEVIATION ** 2;
    let curve = 1 / PRIOR_DEVIATION ** 2;
    known.forEach(({ right }, index) => {
      const value = sigmoid(stated[index]! + shift);
      slope += (right ? 1 : 0) - value;
      curve += value * (1 - value);
    });
    shift += slope / curve;
  }
  return { shift, outcomes: known.length };
}

/** A stated confidence, moved by so many log odds. */
export function recalibrate(confidence: number, shift: number): number {
  return confidence <= 0 ? 0 : sigmoid(logOdds(confidence) + shift);
}

function logOdds(confidence: number): number {
  const bounded = Math.min(MAX_STATED, Math.max(1 - MAX_STATED, confidence));
  return Math.log(bounded / (1 - bounded));
}

function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
