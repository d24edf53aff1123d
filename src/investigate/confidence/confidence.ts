import { isNonSource } from '#evolution/fixes.ts';
import type { LocatedError } from '../locate/locate.ts';
import type { MessageOrigin } from '../locate/message-origin.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import type { ErrorWords } from '../text/error-words.ts';
import { recalibrate, type Calibration } from './calibration.ts';
import weights from './confidence-weights.json' with { type: 'json' };

/** What the evidence amounts to, each from 0 to 1. */
export interface ConfidenceFeatures {
  /** A frame of the trace was found: 1 with its line, 0.7 when the line had moved, 0.4 with the file alone. */
  frame: number;
  /** Share of the message that a literal of the code makes. */
  origin: number;
  /** How far the best file is ahead of the second. */
  margin: number;
  /** How likely the ranking itself thinks its first three files together; less where there are few files. */
  topKProbability: number;
  /** The same, as far as the text names anything: times 1 - e^(-nats / 15) of its words that symbols and paths have. */
  identifierMass: number;
  /** The same, as far as the text is about something else: times the share of its words that nothing here has. What
   * fills the holes of a message that the code makes is not strange. */
  outOfVocabularyShare: number;
}

/** How likely the right file is among the first three places, and whether to name a cause at all. */
export interface ConfidenceEstimate {
  value: number;
  abstained: boolean;
  features: ConfidenceFeatures;
}

/** Below this the answer says that the evidence is thin. */
const MIN_CONFIDENCE = 0.45;
const IDENTIFIER_MASS_SCALE = 15;
const MAX_CONFIDENCE = 0.97;

interface ConfidenceInput {
  frames: PlacedFrame[];
  origins: MessageOrigin[];
  located: LocatedError;
  words: ErrorWords;
  /** What is known of earlier answers about this repository. */
  calibration?: Calibration;
}

/**
 * Weighs the evidence of an investigation: 1 / (1 + e^-(bias + sum of weight × feature)). The weights are fitted by
 * `bench/fit/confidence.ts` on past fixes and, for what no evidence looks like, on complaints that say nothing and texts
 * about other repositories.
 */
export function estimateConfidence(input: ConfidenceInput): ConfidenceEstimate {
  const features = confidenceFeatures(input);
  const names = Object.keys(features) as (keyof ConfidenceFeatures)[];
  const sum = names.reduce((total, name) => total + weights[name] * features[name], weights.bias);
  const value =
    input.located.places.length === 0
      ? 0
      : Math.min(MAX_CONFIDENCE, recalibrate(1 / (1 + Math.exp(-sum)), input.calibration?.shift ?? 0));
  return { value, abstained: value < MIN_CONFIDENCE, features };
}

/** The features of an error that has been read and located. */
export function confidenceFeatures({ frames, origins, located, words }: ConfidenceInput): ConfidenceFeatures {
  const [first, second] = located.files;
  const origin = origins[0];
  const made = origin ? origin.share * (isNonSource(origin.path) ? 0.4 : 1) : 0;
  return {
    frame: Math.max(0, ...frames.map(({ line, hasMoved: moved }) => (line === null ? 0.4 : moved ? 0.7 : 1))),
    origin: made,
    margin: first ? 1 - (second?.score ?? 0) / first.score : 0,
    topKProbability: located.topKProbability,
    identifierMass: located.topKProbability * (1 - Math.exp(-words.identifierMass / IDENTIFIER_MASS_SCALE)),
    outOfVocabularyShare: located.topKProbability * words.outOfVocabularyShare * (1 - made),
  };
}
