import type { CallingFrame } from '../guard/find-guard.ts';
import { sigmoid } from '../locate/softmax.ts';
import { type FaultFeatures, type FaultInput, measureFaultFeatures } from './fault-features.ts';
import weights from './fault-weights.json' with { type: 'json' };

/** Weighed signs for a fault of the project against a misuse by its caller. */
export interface CallerEvidence {
  features: FaultFeatures;
  /** Probability that the project is at fault, even where a guard of it raised the error. */
  faultProbability: number;
  /** Probability that an unguarded error is the caller's. */
  probability: number;
  /** The innermost frame outside the repository that called in. */
  callingFrame: CallingFrame | null;
  /** The frame outside the repository that failed, called back by the project. */
  failedAt: CallingFrame | null;
}

/**
 * Weighs the signs that the caller misused the project against those of a fault, by logistic regression: 1 / (1 + e^-(bias +
 * Σ weight · feature)). `bench/fit/faults.ts` fits the weights.
 */
export async function weighCallerEvidence(input: FaultInput): Promise<CallerEvidence> {
  const features = await measureFaultFeatures(input);
  const names = Object.keys(features) as (keyof FaultFeatures)[];
  const sum = names.reduce((total, name) => total + weights[name] * features[name], weights.bias);
  const faultProbability = sigmoid(sum);
  return {
    ...{ features, faultProbability },
    probability: 1 - faultProbability,
    callingFrame: findCallingFrame(input),
    failedAt: findFailedFrame(input),
  };
}

function findCallingFrame({ trace, frames, owners }: FaultInput): CallingFrame | null {
  const failing = frames.find(({ depth, line }) => line !== null && owners[depth] === 'project');
  const outside = failing && trace.frames.find((_, at) => at > failing.depth && owners[at] === 'outside');
  return outside ? { frame: outside, isInRepository: false } : null;
}

function findFailedFrame({ trace, owners }: FaultInput): CallingFrame | null {
  const innermost = owners.findIndex((owner) => owner !== 'runtime' && owner !== 'dependency');
  const isCalledBack = owners[innermost] === 'outside' && owners.includes('project');
  return isCalledBack ? { frame: trace.frames[innermost]!, isInRepository: false } : null;
}
