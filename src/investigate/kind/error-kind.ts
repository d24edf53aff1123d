import type { ErrorKind } from '#contract/debug.ts';
import type { CallerFailure } from './caller-failure.ts';
import type { EnvironmentFeatures } from './environment-features.ts';
import type { FaultFeatures } from './fault-features.ts';
import weights from './kind-weights.json' with { type: 'json' };

/** Signs by which the kind of an error is decided. */
export interface KindEvidence {
  fault: FaultFeatures;
  environment: EnvironmentFeatures;
  /** Nothing in the error speaks for this repository. */
  isForeign: boolean;
  /** A frame or the type of an error shows that a program failed, rather than a complaint. */
  isProgramError: boolean;
  /** The machine failed under the runtime alone, so that every program in its language may print this. */
  isRuntimeOnly: boolean;
  /** A statement of the project raised it, other than a check of the program itself. */
  isGuarded: boolean;
  /** The evidence names no place. */
  isUnlocated: boolean;
  /** A report in words, without frames. */
  isReport: boolean;
  /** Frames are printed, and none is the project's: its caller uses what it returned. */
  isInCaller: boolean;
  /** Failure of a caller's own code on what the project returned; null where the project or another program failed. */
  callerFailure: CallerFailure | null;
}

/** Probabilities of the three explanations of an error of this project; their sum is 1. */
export interface ErrorExplanations {
  /** The project is at fault, even where a guard of it raised the error. */
  fault: number;
  /** The machine or its set-up is. */
  environment: number;
  /** The project answered as intended to what it was given. */
  intended: number;
}

/** Weight of each sign for a fault and for the environment, against an intended answer. */
export interface KindWeights {
  fault: Record<keyof FaultFeatures | 'bias', number>;
  environment: Record<keyof EnvironmentFeatures | 'bias', number>;
}

/**
 * Compares the explanations by multinomial logistic regression: the score of each is its bias + Σ weight · feature, that of an
 * intended answer 0. `bench/fit/kinds.ts` fits the weights.
 */
export function explainError(
  { fault, environment }: Pick<KindEvidence, 'fault' | 'environment'>,
  fitted: KindWeights = weights,
): ErrorExplanations {
  const byFault = Math.exp(score(fault, fitted.fault));
  const byMachine = Math.exp(score(environment, fitted.environment));
  const sum = 1 + byFault + byMachine;
  return { fault: byFault / sum, environment: byMachine / sum, intended: 1 / sum };
}

function score<K extends string>(features: Record<K, number>, weight: Record<K | 'bias', number>): number {
  return (Object.keys(features) as K[]).reduce(
    (sum, name) => sum + weight[name] * features[name],
    weight.bias,
  );
}

/** Decides the kind of an error: the most probable explanation, as far as the error is this project's and has a place. */
export function decideKind(evidence: KindEvidence, explanations: ErrorExplanations): ErrorKind {
  const { fault, environment, intended } = explanations;
  if (evidence.isForeign) {
    if (evidence.isRuntimeOnly) return 'environment';
    return evidence.isProgramError ? 'foreign' : 'vague';
  }
  if (environment > Math.max(fault, intended)) return 'environment';
  const { callerFailure } = evidence;
  const isFault = fault >= intended && (evidence.isGuarded || !evidence.isInCaller || callerFailure !== null);
  if (evidence.isGuarded) return isFault ? 'regression' : 'guard';
  const isPlain = !(evidence.isProgramError && isFault);
  if (evidence.isUnlocated && callerFailure === null && isPlain) return 'vague';
  // A report in words and a check of a result tell what the project does; only a trace or a printed error shows a misuse.
  const isTold = (evidence.isReport && evidence.fault.printedError === 0) || callerFailure === 'check';
  return isFault || isTold ? 'regression' : 'usage';
}
