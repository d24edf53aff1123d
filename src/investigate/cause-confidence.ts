import type { RepositoryIndex } from '#memory/repository-index.ts';
import weights from './cause-weights.json' with { type: 'json' };
import type { LocatedError } from './locate/locate.ts';
import { sigmoid } from './locate/softmax.ts';
import type { RankedSuspect } from './suspects/rank-suspects.ts';

/** Features of the first suspect, each from 0 to 1. */
interface CauseFeatures {
  /** Probability that the right file is among the first places. */
  place: number;
  /** Probability of the suspect among the candidates by its signals. */
  share: number;
  /** 1 when it last changed the failing line itself, 0.4 for a line nearby. */
  blame: number;
  /** 1 when a frame or the message confirms the place that it changed. */
  certainPlace: number;
  /** 2^-(age in half-years). */
  recency: number;
}

interface CauseInput {
  suspects: RankedSuspect[];
  placeConfidence: number;
  located: LocatedError;
  index: RepositoryIndex;
  /** Unix time in seconds. */
  now: number;
}

const HALF_YEAR = 182.6 * 86_400;
const NEARBY = 0.4;

/**
 * Estimates the probability that the first suspect caused the error, by logistic regression; 0 without a suspect.
 * `bench/fit/findings.ts` fits the weights: left out by repository, the culprit is among the first three suspects of 97 % of
 * the texts from 0.6 on.
 */
export function estimateCauseConfidence(input: CauseInput): number {
  const features = causeFeatures(input);
  if (!features) return 0;
  const names = Object.keys(features) as (keyof CauseFeatures)[];
  return sigmoid(names.reduce((sum, name) => sum + weights[name] * features[name], weights.bias));
}

/** Computes the features of the first suspect; null when there is none. */
export function causeFeatures(input: CauseInput): CauseFeatures | null {
  const { suspects, placeConfidence, located, index, now } = input;
  const [first] = suspects;
  if (!first) return null;
  const place = located.places.find(({ path }) => path === (first.blame?.path ?? first.path));
  const age = Math.max(0, now - index.commits.time(first.commit));
  return {
    place: placeConfidence,
    share: first.score,
    blame: first.blame ? (first.blame.isExactLine ? 1 : NEARBY) : 0,
    certainPlace: Number(place !== undefined && place.source !== 'words'),
    recency: Number.isNaN(age) ? 0 : 2 ** (-age / HALF_YEAR),
  };
}
