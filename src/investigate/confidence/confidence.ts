import { isBesideTheCode } from '#evolution/fixes.ts';
import type { Located } from '../locate/locate.ts';
import type { Origin } from '../locate/message-origin.ts';
import type { PlacedFrame } from '../locate/place-frames.ts';
import type { ErrorWords } from '../text/error-words.ts';
import { shifted, type Trust } from './calibration.ts';
import weights from './confidence-weights.json' with { type: 'json' };

/** What the evidence amounts to, each from 0 to 1. */
export interface Features {
  /** A frame of the trace was found: 1 with its line, 0.7 when the line had moved, 0.4 with the file alone. */
  frame: number;
  /** Share of the message that a literal of the code makes. */
  origin: number;
  /** How far the best file is ahead of the second. */
  margin: number;
  /** How likely the ranking itself thinks its first three files together; less where there are few files. */
  lead: number;
  /** The same, as far as the text names anything: times 1 - e^(-nats / 15) of its words that symbols and paths have. */
  named: number;
  /** The same, as far as the text is about something else: times the share of its words that nothing here has. What
   * fills the holes of a message that the code makes is not strange. */
  strange: number;
}

/** How likely the right file is among the first three places, and whether to name a cause at all. */
export interface Confidence {
  value: number;
  abstained: boolean;
  features: Features;
}

/** Below this the answer says that the evidence is thin. */
const ABSTAIN_BELOW = 0.45;
const NAMED_SCALE = 15;
const HIGHEST = 0.97;

interface ConfidenceInput {
  frames: PlacedFrame[];
  origins: Origin[];
  located: Located;
  words: ErrorWords;
  /** What is known of earlier answers about this repository. */
  trust?: Trust;
}

/**
 * Weighs the evidence of an investigation: 1 / (1 + e^-(bias + sum of weight × feature)). The weights are fitted by
 * `bench/fit/confidence.ts` on past fixes and, for what no evidence looks like, on complaints that say nothing and texts
 * about other repositories.
 */
export function weighConfidence(input: ConfidenceInput): Confidence {
  const features = confidenceFeatures(input);
  const names = Object.keys(features) as (keyof Features)[];
  const sum = names.reduce((total, name) => total + weights[name] * features[name], weights.bias);
  const value =
    input.located.places.length === 0
      ? 0
      : Math.min(HIGHEST, shifted(1 / (1 + Math.exp(-sum)), input.trust?.shift ?? 0));
  return { value, abstained: value < ABSTAIN_BELOW, features };
}

/** The features of an error that has been read and located. */
export function confidenceFeatures({ frames, origins, located, words }: ConfidenceInput): Features {
  const [first, second] = located.files;
  const origin = origins[0];
  const made = origin ? origin.share * (isBesideTheCode(origin.path) ? 0.4 : 1) : 0;
  return {
    frame: Math.max(0, ...frames.map(({ line, moved }) => (line === null ? 0.4 : moved ? 0.7 : 1))),
    origin: made,
    margin: first ? 1 - (second?.score ?? 0) / first.score : 0,
    lead: located.lead,
    named: located.lead * (1 - Math.exp(-words.named / NAMED_SCALE)),
    strange: located.lead * words.strange * (1 - made),
  };
}
