/** An earlier answer about a project of which it is known whether it was right, and what was stated of it, 0 to 1. */
export interface KnownOutcome {
  confidence: number;
  right: boolean;
}

/** What the known outcomes of a project say of the next answer about it. */
export interface Trust {
  /** Added to the log odds of what is stated: below 0 where answers turned out worse than they said. */
  shift: number;
  /** How many outcomes it was learned from. */
  outcomes: number;
}

/** Log odds by which projects differ, as a standard deviation: a handful of outcomes moves little. */
const SPREAD = 0.7;
const STEPS = 20;
/** What is stated is never so sure that one miss would count without end. */
const SUREST = 0.98;

/**
 * How much surer or less sure answers about a project should be than the weights of all projects state: the likeliest
 * shift of the log odds under a normal prior (recalibration in the large, Steyerberg 2009, with shrinkage).
 */
export function learnTrust(known: readonly KnownOutcome[]): Trust {
  const stated = known.map(({ confidence }) => logOdds(confidence));
  let shift = 0;
  for (let step = 0; step < STEPS; step++) {
    let slope = -shift / SPREAD ** 2;
    let curve = 1 / SPREAD ** 2;
    known.forEach(({ right }, index) => {
      const value = chance(stated[index]! + shift);
      slope += (right ? 1 : 0) - value;
      curve += value * (1 - value);
    });
    shift += slope / curve;
  }
  return { shift, outcomes: known.length };
}

/** A stated confidence, moved by so many log odds. */
export function shifted(confidence: number, shift: number): number {
  return confidence <= 0 ? 0 : chance(logOdds(confidence) + shift);
}

function logOdds(confidence: number): number {
  const bounded = Math.min(SUREST, Math.max(1 - SUREST, confidence));
  return Math.log(bounded / (1 - bounded));
}

function chance(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
