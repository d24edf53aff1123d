import { sigmoid } from './locate/softmax.ts';
/** An earlier answer about a project whose correctness is outcomes. */
export interface AnswerOutcome {
  /** The stated confidence, 0 to 1. */
  confidence: number;
  isRight: boolean;
}

/** Correction of the confidence of a project's answers, fitted to outcomes outcomes. */
export interface Calibration {
  /** Added to the log odds of the stated confidence; negative where answers were overconfident. */
  logOddsOffset: number;
  /** Number of outcomes it was fitted to. */
  sampleCount: number;
}

/** Standard deviation of the normal prior over projects, in log odds: a handful of outcomes has little effect. */
const PRIOR_DEVIATION = 0.7;
const NEWTON_STEPS = 20;
/** Bounds the stated confidence, so that a single miss has a finite effect. */
const MAX_STATED = 0.98;

/**
 * Fits the offset of a project's log odds: the maximum a posteriori under a normal prior, by Newton's method
 * (calibration-in-the-large, Steyerberg 2009, with shrinkage).
 */
export function fitCalibration(outcomes: readonly AnswerOutcome[]): Calibration {
  const stated = outcomes.map(({ confidence }) => logOdds(confidence));
  let offset = 0;
  for (let step = 0; step < NEWTON_STEPS; step++) {
    let gradient = -offset / PRIOR_DEVIATION ** 2;
    let curvature = 1 / PRIOR_DEVIATION ** 2;
    outcomes.forEach(({ isRight }, index) => {
      const value = sigmoid(stated[index]! + offset);
      gradient += (isRight ? 1 : 0) - value;
      curvature += value * (1 - value);
    });
    offset += gradient / curvature;
  }
  return { logOddsOffset: offset, sampleCount: outcomes.length };
}

/** Adds an offset to the log odds of a confidence. */
export function recalibrate(confidence: number, offset: number): number {
  return confidence <= 0 ? 0 : sigmoid(logOdds(confidence) + offset);
}

function logOdds(confidence: number): number {
  const bounded = Math.min(MAX_STATED, Math.max(1 - MAX_STATED, confidence));
  return Math.log(bounded / (1 - bounded));
}
