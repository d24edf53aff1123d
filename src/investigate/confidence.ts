import { isBesideTheCode } from '#evolution/fixes.ts';
import weights from './confidence-weights.json' with { type: 'json' };
import type { Located } from './locate.ts';
import type { Origin } from './origin.ts';
import type { PlacedFrame } from './place.ts';

/** What the evidence amounts to, each from 0 to 1. */
export interface Features {
  /** A frame of the trace was found: 1 with its line, 0.7 when the line had moved, 0.4 with the file alone. */
  frame: number;
  /** Share of the message that a literal of the code makes. */
  origin: number;
  /** Share of the error's words, by rarity, that the best file has. */
  words: number;
  /** 1 - e^(-nats / 20) of what those words weigh: two rare words say less than ten. */
  weight: number;
  /** How far the best file is ahead of the second. */
  margin: number;
  /** How likely the ranking itself thinks its first three files together; less where there are few files. */
  lead: number;
}

/** How likely the right file is among the first three places, and whether to name a cause at all. */
export interface Confidence {
  value: number;
  abstained: boolean;
  features: Features;
}

/** Below this the answer says that the evidence is thin. */
const ABSTAIN_BELOW = 0.35;
const WORDS_SCALE = 20;
const HIGHEST = 0.97;

interface ConfidenceInput {
  frames: PlacedFrame[];
  origins: Origin[];
  located: Located;
}

/**
 * Weighs the evidence of an investigation: 1 / (1 + e^-(bias + sum of weight × feature)). The weights are fitted by
 * `bench/fit/confidence.ts` on past fixes and, for what no evidence looks like, on texts about other repositories.
 */
export function weighConfidence(input: ConfidenceInput): Confidence {
  const features = confidenceFeatures(input);
  const names = Object.keys(features) as (keyof Features)[];
  const sum = names.reduce((total, name) => total + weights[name] * features[name], weights.bias);
  const value = input.located.places.length === 0 ? 0 : Math.min(HIGHEST, 1 / (1 + Math.exp(-sum)));
  return { value, abstained: value < ABSTAIN_BELOW, features };
}

/** The features of an error that has been read and located. */
export function confidenceFeatures({ frames, origins, located }: ConfidenceInput): Features {
  const [first, second] = located.files;
  const [place] = located.places;
  const origin = origins[0];
  return {
    frame: Math.max(0, ...frames.map(({ line, moved }) => (line === null ? 0.4 : moved ? 0.7 : 1))),
    origin: origin ? origin.share * (isBesideTheCode(origin.path) ? 0.4 : 1) : 0,
    words: place?.share ?? 0,
    weight: place ? 1 - Math.exp(-place.mass / WORDS_SCALE) : 0,
    margin: first ? 1 - (second?.score ?? 0) / first.score : 0,
    lead: located.lead,
  };
}
