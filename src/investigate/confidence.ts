import { isBesideTheCode } from '#evolution/fixes.ts';
import type { Located } from './locate.ts';
import type { Origin } from './origin.ts';
import type { PlacedFrame } from './place.ts';
import type { Precedent } from './precedents.ts';
import type { RankedSuspect } from './suspects.ts';

/** What the evidence amounts to, each from 0 to 1. */
export interface Features {
  /** A frame of the trace was found: 1 with its line, 0.7 when the line had moved, 0.4 with the file alone. */
  frame: number;
  /** Share of the message that a literal of the code makes. */
  origin: number;
  /** Share of the error's words, by rarity, that the best file has, times 1 - e^(-nats / 20) of what they weigh. */
  words: number;
  /** How far the best file is ahead of the second. */
  margin: number;
  /** Blame names the first suspect for a line at a place. */
  blamed: number;
  /** Similarity of the best earlier fix. */
  precedent: number;
}

/** How likely the right file is among the first three places, and whether to name a cause at all. */
export interface Confidence {
  value: number;
  abstained: boolean;
  features: Features;
}

/**
 * value = 1 / (1 + e^-(BIAS + sum of weight × feature)). Set by hand on 27 fixes of one repository against texts that
 * are about something else: nothing at all gives 0.10, words alone 0.2 to 0.6, a frame in the tree 0.6 and more.
 * To be fitted on held-out fixes.
 */
const BIAS = -2.2;
const WEIGHTS: Features = { frame: 2.2, origin: 2, words: 4.5, margin: 0.5, blamed: 0.2, precedent: 1.2 };
/** Below this the answer says that the evidence is thin. */
const ABSTAIN_BELOW = 0.35;
const WORDS_SCALE = 20;
const HIGHEST = 0.97;

interface ConfidenceInput {
  frames: PlacedFrame[];
  origins: Origin[];
  located: Located;
  suspects: RankedSuspect[];
  precedents: Precedent[];
}

/** Weighs the evidence of an investigation. */
export function weighConfidence(input: ConfidenceInput): Confidence {
  const features = readFeatures(input);
  const names = Object.keys(WEIGHTS) as (keyof Features)[];
  const sum = names.reduce((total, name) => total + WEIGHTS[name] * features[name], BIAS);
  const value = Math.min(HIGHEST, 1 / (1 + Math.exp(-sum)));
  const nothing = input.located.places.length === 0 && input.suspects.length === 0;
  return { value: nothing ? 0 : value, abstained: nothing || value < ABSTAIN_BELOW, features };
}

function readFeatures({ frames, origins, located, suspects, precedents }: ConfidenceInput): Features {
  const [first, second] = located.files;
  const [place] = located.places;
  const origin = origins[0];
  return {
    frame: Math.max(0, ...frames.map(({ line, moved }) => (line === null ? 0.4 : moved ? 0.7 : 1))),
    origin: origin ? origin.share * (isBesideTheCode(origin.path) ? 0.4 : 1) : 0,
    words: place ? place.share * (1 - Math.exp(-place.mass / WORDS_SCALE)) : 0,
    margin: first ? 1 - (second?.score ?? 0) / first.score : 0,
    blamed: suspects[0]?.blamed ? 1 : 0,
    precedent: precedents[0]?.similarity ?? 0,
  };
}
