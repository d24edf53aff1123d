import { isFixCommit } from '#evolution/fixes.ts';
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
  /** Relative lead over the second suspect. */
  margin: number;
  /** 1 when it last changed the failing line itself, 0.4 for a line nearby. */
  blame: number;
  /** 1 when a frame or the message confirms the place that it changed. */
  certainPlace: number;
  /** 1 when its change is in the function of a place. */
  inFunction: number;
  /** 2^-(age in half-years). */
  recency: number;
  /** 1 for a commit of one file, less for sweeping ones. */
  focus: number;
  /** 1 when it is a fix itself. */
  fix: number;
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

/** Estimates the probability that the first suspect caused the error, by logistic regression; 0 without a suspect. */
export function estimateCauseConfidence(input: CauseInput): number {
  const features = causeFeatures(input);
  if (!features) return 0;
  const names = Object.keys(features) as (keyof CauseFeatures)[];
  return sigmoid(names.reduce((sum, name) => sum + weights[name] * features[name], weights.bias));
}

/** Computes the features of the first suspect; null when there is none. */
export function causeFeatures(input: CauseInput): CauseFeatures | null {
  const { suspects, placeConfidence, located, index, now } = input;
  const [first, second] = suspects;
  if (!first) return null;
  const place = located.places.find(({ path }) => path === (first.blame?.path ?? first.path));
  const age = Math.max(0, now - index.commits.time(first.commit));
  return {
    place: placeConfidence,
    share: first.score,
    margin: 1 - (second?.score ?? 0) / first.score,
    blame: first.blame ? (first.blame.isExactLine ? 1 : 0.4) : 0,
    certainPlace: Number(place !== undefined && place.source !== 'words'),
    inFunction: Number(first.inFunction),
    recency: Number.isNaN(age) ? 0 : 2 ** (-age / HALF_YEAR),
    focus: 1 / Math.max(1, index.commits.paths(first.commit).length),
    fix: Number(isFixCommit(index, first.commit)),
  };
}
