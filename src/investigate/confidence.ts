import { isNonSource } from '#evolution/fixes.ts';
import { type Calibration, recalibrate } from './calibration.ts';
import weights from './confidence-weights.json' with { type: 'json' };
import type { ErrorWords } from './locate/error-words.ts';
import type { LocatedError } from './locate/locate.ts';
import type { MessageOrigin } from './locate/message-origin.ts';
import type { PlacedFrame } from './locate/place-frames.ts';
import { sigmoid } from './locate/softmax.ts';

/** Features of the evidence, each from 0 to 1. */
interface ConfidenceFeatures {
  /** A frame of the trace was found: 1 with its line, 0.7 when the line has moved, 0.4 with the file alone. */
  frame: number;
  /** Share of the message that comes from a literal in the code. */
  origin: number;
  /** Relative lead of the best file over the second. */
  margin: number;
  /** Probability of the first three files by the ranking itself, shrunk where there are few files. */
  topKProbability: number;
  /** `topKProbability` times 1 - e^(-nats / 15) of the words that occur in symbols and paths. */
  identifierMass: number;
  /** `topKProbability` times the share of out-of-vocabulary words, minus those that fill a message's placeholders. */
  outOfVocabularyShare: number;
}

/** The probability that the right file is among the first three places. */
export interface ConfidenceEstimate {
  value: number;
  /** True below the threshold for naming a cause. */
  abstained: boolean;
  features: ConfidenceFeatures;
}

/** Below this, the answer reports that the evidence is insufficient. */
const MIN_CONFIDENCE = 0.45;
const IDENTIFIER_MASS_SCALE = 15;
const MAX_CONFIDENCE = 0.97;
/** Confidence of a text such as `TypeError: x` or `Segmentation fault`. */
const MAX_THIN_CONFIDENCE = 0.3;
/** A message in a test is expected there rather than raised. */
const NON_SOURCE_WEIGHT = 0.4;

interface ConfidenceInput {
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  located: LocatedError;
  words: ErrorWords;
  /** Fitted to earlier answers about this repository. */
  calibration?: Calibration;
}

/**
 * Estimates confidence by logistic regression: 1 / (1 + e^-(bias + Σ weight · feature)). `bench/fit/confidence.ts` fits
 * the weights on past fixes and, as negatives, on vague complaints and texts about other repositories.
 */
export function estimateConfidence(input: ConfidenceInput): ConfidenceEstimate {
  const features = confidenceFeatures(input);
  const names = Object.keys(features) as (keyof ConfidenceFeatures)[];
  const sum = names.reduce((total, name) => total + weights[name] * features[name], weights.bias);
  const max = isThin(input) ? MAX_THIN_CONFIDENCE : MAX_CONFIDENCE;
  const value =
    input.located.places.length === 0
      ? 0
      : Math.min(max, recalibrate(sigmoid(sum), input.calibration?.logOddsOffset ?? 0));
  return { value, abstained: value < MIN_CONFIDENCE, features };
}

/** True when a text names nothing but the kind of an error. */
function isThin({ frames, origins, words }: ConfidenceInput): boolean {
  return frames.length === 0 && origins.length === 0 && words.informativeWords === 0;
}

/** Computes the features of a located error. */
export function confidenceFeatures({ frames, origins, located, words }: ConfidenceInput): ConfidenceFeatures {
  const [first, second] = located.files;
  const origin = origins[0];
  const originShare = origin ? origin.share * (isNonSource(origin.path) ? NON_SOURCE_WEIGHT : 1) : 0;
  return {
    frame: Math.max(0, ...frames.map(({ line, hasMoved }) => (line === null ? 0.4 : hasMoved ? 0.7 : 1))),
    origin: originShare,
    margin: first ? 1 - (second?.score ?? 0) / first.score : 0,
    topKProbability: located.topKProbability,
    identifierMass: located.topKProbability * (1 - Math.exp(-words.identifierMass / IDENTIFIER_MASS_SCALE)),
    outOfVocabularyShare: located.topKProbability * words.outOfVocabularyShare * (1 - originShare),
  };
}
