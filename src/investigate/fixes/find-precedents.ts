import type { Sentence } from '#contract/common.ts';
import type { FixOutcome } from '#contract/debug.ts';
import { isoTime } from '#contract/iso-time.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import { createSentence } from '#contract/sentence.ts';
import { assessFixes, deletesMostAddedLines } from '#evolution/fix-outcomes.ts';
import { isNonSource } from '#evolution/fixes.ts';
import { changedLinesText } from '#evolution/hunk-text.ts';
import type { DiffSource } from '#evolution/read-diffs.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type ErrorWords, saturate, type TextSimilarity, textSimilarity } from '../locate/error-words.ts';
import { sigmoid, softmax } from '../locate/softmax.ts';
import {
  buildSuspectInput,
  firstPath,
  type RankedSuspect,
  type RankSuspectsInput,
} from '../suspects/rank-suspects.ts';
import { measureSuspectSignals, scoreSuspects } from '../suspects/score-suspects.ts';
import type { SuspectCandidate } from '../suspects/select-candidates.ts';
import type { SuspectInput } from '../suspects/suspect-signal.ts';
import weights from './precedent-weights.json' with { type: 'json' };

/** An earlier fix of a similar error. */
export interface Precedent {
  commit: number;
  /** 0 to 1. */
  similarity: number;
  outcome: FixOutcome;
  path: string | null;
  hunk: Hunk | null;
  why: Sentence;
}

const MAX_PRECEDENTS = 3;
/** Best fixes by all signals that are compared with the error in detail. */
const MAX_COMPARED = 10;
/**
 * Fixes below this probability are not shown. Left out by repository, 77 % of those above it changed a function that
 * the new fix changed; see `bench/results/confidence.md`.
 */
const MIN_PROBABILITY = 0.5;
/**
 * Fixes less similar than this are not shown. Of 74 above both thresholds, on which two blind labellers agreed, 77 % helped with the
 * new fix; see `bench/results/precedents.md`.
 */
const MIN_SIMILARITY = 0.55;
/** Subjects such as `Fix #356`. */
const SAYS_NOTHING =
  /^\W*(?:(?:bug)?fix(?:e[sd]|ing)?|close[sd]?|resolve[sd]?|issue|for|gh|and|bug)?(?:\W|\d|\b(?:fix(?:e[sd])?|issue|gh|and|bug)\b)*$/i;
const WEIGHTS = { message: 0.5, hunk: 0.25, file: 0.25 };
/** The test of a fix says less about the error than the fixed code. */
const NON_SOURCE_WEIGHT = 0.3;

interface PrecedentInput extends Omit<RankSuspectsInput, 'candidates' | 'blamed'>, DiffSource {
  /** Earlier fixes. */
  fixes: SuspectCandidate[];
  /** A fix that the first suspect reverts is no longer in place. */
  suspects: RankedSuspect[];
  /** Probability that the right file is among the first places. */
  placeConfidence: number;
  /** True where the first suspect is sure enough to be accused. */
  isSuspectLikely: boolean;
  signal?: AbortSignal;
}

/** Features of an earlier fix, each from 0 to 1, by which its probability is estimated. */
interface PrecedentFeatures {
  /** Similarity of its message. */
  message: number;
  /** Similarity of its best hunk, relative to the best of all. */
  hunk: number;
  /** Score of the best located source file that it changed; 1 for the first. */
  file: number;
  /** 1 when it changed the function of a place. */
  inFunction: number;
  /** Its probability among all candidates by the signals. */
  share: number;
  /** Probability that the right file is among the first places. */
  place: number;
}

/** An earlier fix with its features, best first by the signals. */
interface MeasuredPrecedent {
  commit: number;
  similarity: number;
  features: PrecedentFeatures;
  best: MostSimilarHunk | null;
}

/** Measures the best earlier fixes by similarity of message and diff and by the files they changed. */
export function measurePrecedents(input: Omit<PrecedentInput, 'isSuspectLikely'>): MeasuredPrecedent[] {
  const { fixes, diffs, index, words } = input;
  const signals = measureFixes(input);
  const shares = softmax(scoreFixes(signals));
  const ranked = rankFixes(signals).slice(0, MAX_COMPARED);
  const hunks = new Map(
    ranked.map((i) => {
      const diff = diffs.get(index.commits.oid(fixes[i]!.commit)) ?? [];
      return [i, mostSimilarHunk(diff, words)];
    }),
  );
  const maxHunkScore = Math.max(...[...hunks.values()].map((hunk) => hunk?.score ?? 0), Number.MIN_VALUE);
  const files = new Map(input.located.files.map(({ path, score }) => [path, score]));
  const scoreOf = (path: string) =>
    isNonSource(path) ? 0 : (files.get(input.renames.currentPath(path)) ?? 0);
  return ranked.map((i) => {
    const { commit, messageScore } = fixes[i]!;
    const best = hunks.get(i) ?? null;
    const features: PrecedentFeatures = {
      message: messageScore,
      hunk: ((best?.score ?? 0) / maxHunkScore) * saturate(best?.sharedMass ?? 0),
      file: fileScore(index, commit, scoreOf),
      inFunction: Number(signals.diffFeatures[i]!.best?.place != null),
      share: shares[i]!,
      place: input.placeConfidence,
    };
    const similarity =
      WEIGHTS.message * features.message + WEIGHTS.hunk * features.hunk + WEIGHTS.file * features.file;
    return { commit, similarity, features, best };
  });
}

/** Estimates the probability that a fix changed a function which the new fix will change, by logistic regression. */
function estimateProbability(features: PrecedentFeatures): number {
  const names = Object.keys(features) as (keyof PrecedentFeatures)[];
  return sigmoid(names.reduce((sum, name) => sum + weights[name] * features[name], weights.bias));
}

/**
 * Finds earlier fixes that probably concern the same code, best first, with their outcomes. A fix of the first file that a
 * suspect undid counts as well where that suspect is sure enough to be accused: of all others 40 % helped.
 */
export async function findPrecedents(input: PrecedentInput): Promise<Precedent[]> {
  const shown = measurePrecedents(input)
    .filter(({ commit }) => !SAYS_NOTHING.test(input.index.commits.subject(commit)))
    .map((fix) => ({ ...fix, probability: estimateProbability(fix.features) }))
    .filter(
      ({ commit, probability, similarity, features }) =>
        (probability >= MIN_PROBABILITY && similarity >= MIN_SIMILARITY) ||
        (input.isSuspectLikely && features.file === 1 && revertedBySuspect(commit, input) !== null),
    )
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MAX_PRECEDENTS);
  const outcomes = await assessFixes({ ...input, commits: shown.map(({ commit }) => commit) });
  return shown.map((fix, i) => toPrecedent(fix, revertedBySuspect(fix.commit, input) ?? outcomes[i]!, input));
}

/** Builds the input of the signals for the fixes. */
export function measureFixes(
  input: Omit<RankSuspectsInput, 'candidates' | 'blamed'> & { fixes: SuspectCandidate[] },
): SuspectInput {
  return buildSuspectInput({ ...input, candidates: input.fixes, blamed: new Map() });
}

/** Ranks fixes by their signals; returns indexes into `input.commits`, best first. */
export function rankFixes(input: SuspectInput): number[] {
  const scores = scoreFixes(input);
  return Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
}

function scoreFixes(input: SuspectInput): Float64Array {
  return scoreSuspects(measureSuspectSignals(input, 'precedent'), input.commits.length, 'precedent');
}

/** The outcome of a fix whose lines the first suspect deleted; null for the others. */
function revertedBySuspect(
  fix: number,
  { index: { commits }, diffs, suspects }: PrecedentInput,
): FixOutcome | null {
  const [suspect] = suspects;
  if (!suspect || suspect.commit >= fix) return null;
  const diffOf = (commit: number) => diffs.get(commits.oid(commit)) ?? [];
  if (!deletesMostAddedLines(diffOf(suspect.commit), diffOf(fix))) return null;
  const seconds = commits.time(suspect.commit) - commits.time(fix);
  const days = Math.max(0, Math.round(seconds / 86_400) || 0);
  return { state: 'reverted', days, undone_by: commits.oid(suspect.commit) };
}

function toPrecedent(
  { commit, similarity, best }: { commit: number; similarity: number; best: MostSimilarHunk | null },
  outcome: FixOutcome,
  { index, words, now }: PrecedentInput,
): Precedent {
  const shared = textSimilarity(words, index.commits.message(commit)).words;
  const age = isoTime(index.commits.time(commit));
  const path = best?.path ?? firstPath(index, commit);
  const sharedWords = shared.length > 0 ? shared : (best?.words ?? []);
  const why =
    sharedWords.length > 0 || path === null
      ? createSentence('debug.why.precedent', { age, words: sharedWords }, now * 1000)
      : createSentence('debug.why.precedent_file', { path, age }, now * 1000);
  return { commit, similarity, outcome, path, hunk: best?.hunk ?? null, why };
}

interface MostSimilarHunk extends TextSimilarity {
  path: string;
  hunk: Hunk;
}

function mostSimilarHunk(diffs: FileDiff[], words: ErrorWords): MostSimilarHunk | null {
  let best: MostSimilarHunk | null = null;
  for (const file of diffs) {
    const path = file.new_path ?? file.old_path;
    if (path === null) continue;
    for (const hunk of file.hunks) {
      const similarity = textSimilarity(words, changedLinesText(hunk));
      const score = similarity.score * (isNonSource(path) ? NON_SOURCE_WEIGHT : 1);
      if (!best || score > best.score) best = { ...similarity, score, path, hunk };
    }
  }
  return best;
}

function fileScore(index: RepositoryIndex, commit: number, scoreOf: (path: string) => number): number {
  const paths = Array.from(index.commits.paths(commit), (path) => scoreOf(index.commits.path(path)));
  return Math.max(0, ...paths);
}
