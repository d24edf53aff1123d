import type { Sentence } from '#contract/common.ts';
import { isoTime } from '#contract/iso-time.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import { createSentence } from '#contract/sentence.ts';
import { changedLinesText } from '#evolution/hunk-text.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/lexical/parse-query.ts';
import { TermCounter } from '#search/lexical/term-counter.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { RenameHistory } from '../history/renames.ts';
import { measureSurvivingLines } from '../history/surviving-lines.ts';
import { type ErrorWords, textSimilarity } from '../locate/error-words.ts';
import type { LocatedError } from '../locate/locate.ts';
import { softmax } from '../locate/softmax.ts';
import { createFunctionMatcher } from './changed-functions.ts';
import { type BestHunk, extractDiffFeatures } from './diff-features.ts';
import { measureSuspectSignals, scoreSuspects } from './score-suspects.ts';
import type { SuspectCandidate } from './select-candidates.ts';
import type { SuspectInput } from './suspect-signal.ts';

/** A commit that could have caused the error. */
export interface RankedSuspect {
  commit: number;
  /** Probability of being the cause, given that one of the candidates is. */
  score: number;
  path: string | null;
  hunk: Hunk | null;
  /** Its blamed line at a place. */
  blame: BlamedCommit | null;
  why: Sentence;
}

const MAX_SUSPECTS = 5;

export interface RankSuspectsInput {
  index: RepositoryIndex;
  query: Query;
  words: ErrorWords;
  candidates: SuspectCandidate[];
  /** Diffs of the candidates, by hash. */
  diffs: Map<string, FileDiff[]>;
  located: LocatedError;
  renames: RenameHistory;
  blamed: Map<number, BlamedCommit>;
  /** Unix time in seconds. */
  now: number;
}

/** Ranks the candidates by all signals; the best come with the reason for the suspicion. */
export function rankSuspects(ranked: RankSuspectsInput): RankedSuspect[] {
  const input = buildSuspectInput(ranked);
  const sums = scoreSuspects(measureSuspectSignals(input, 'text'), input.commits.length);
  return Array.from(softmax(sums), (score, i) => ({ index: i, score }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MAX_SUSPECTS)
    .map(({ index: i, score }) => toRankedSuspect(i, score, ranked.candidates[i]!, input));
}

/** Builds the input of the signals from the candidates' diffs. */
export function buildSuspectInput(ranked: RankSuspectsInput): SuspectInput {
  const { index, query, words, located, renames, blamed, now, candidates, diffs } = ranked;
  const files = new Map(located.files.map(({ path, score }) => [path, score]));
  const scoreOf = (path: string) => files.get(renames.currentPath(path)) ?? 0;
  const counter = termCounterFor(query, words);
  const commits = candidates.map(({ commit }) => commit);
  const changesFunction = createFunctionMatcher();
  const diffFeatures = commits.map((commit) =>
    extractDiffFeatures(diffs.get(index.commits.oid(commit)) ?? [], blamed.get(commit) ?? null, {
      counter,
      words,
      located,
      renames,
      changesFunction,
      scoreOf,
    }),
  );
  const surviving = measureSurvivingLines({ ...ranked, commits });
  return {
    index,
    query,
    words,
    located,
    renames,
    blamed,
    now,
    commits,
    diffFeatures,
    surviving,
    scoreOf,
  };
}

/** One counter for suspects and fixes of a query, so that each term is looked up once. */
function termCounterFor(query: Query, words: ErrorWords): TermCounter {
  let counter = termCounters.get(query);
  if (!counter) {
    counter = new TermCounter([...words.inVocabulary.keys(), ...query.terms.map(({ term }) => term)]);
    termCounters.set(query, counter);
  }
  return counter;
}

const termCounters = new WeakMap<Query, TermCounter>();

function toRankedSuspect(
  i: number,
  score: number,
  { commit, messageScore }: SuspectCandidate,
  input: SuspectInput,
): RankedSuspect {
  const { index, now } = input;
  const { best } = input.diffFeatures[i]!;
  const blame = input.blamed.get(commit) ?? null;
  const touched = touchedFile(input, commit);
  const age = isoTime(index.commits.time(commit));
  const shared = best ? textSimilarity(input.words, changedLinesText(best.hunk)).words : [];
  return {
    commit,
    score,
    path: best?.path ?? touched ?? firstPath(index, commit),
    hunk: best?.hunk ?? null,
    blame,
    why: explain({ blame, best, shared, touched, age, messageScore }, now * 1000),
  };
}

function touchedFile({ index, scoreOf }: SuspectInput, commit: number): string | null {
  let best: { path: string | null; score: number } = { path: null, score: 0 };
  for (const number of index.commits.paths(commit)) {
    const path = index.commits.path(number);
    const score = scoreOf(path);
    if (score > best.score) best = { path, score };
  }
  return best.path;
}

/** The first path that a commit touched; null when it touched none. */
export function firstPath(index: RepositoryIndex, commit: number): string | null {
  const [path] = index.commits.paths(commit);
  return path === undefined ? null : index.commits.path(path);
}

interface SuspectReasons {
  blame: BlamedCommit | null;
  best: BestHunk | null;
  /** Rarest words shared by the best hunk and the error. */
  shared: string[];
  touched: string | null;
  /** ISO 8601 time of the commit, shown as its age. */
  age: string;
  messageScore: number;
}

function explain({ blame, best, shared, touched, age, messageScore }: SuspectReasons, now: number): Sentence {
  if (blame) {
    const { line, path } = blame;
    return createSentence(
      blame.isExactLine ? 'debug.why.suspect_line' : 'debug.why.suspect_near',
      { line, path, age },
      now,
    );
  }
  if (best?.place?.symbol) {
    return createSentence(
      'debug.why.suspect_function',
      { symbol: best.place.symbol, path: best.path, age },
      now,
    );
  }
  if (best && shared.length > 0) {
    return createSentence('debug.why.suspect_similar', { path: best.path, age, words: shared }, now);
  }
  if (touched && messageScore < 0.5)
    return createSentence('debug.why.suspect_file', { path: touched, age }, now);
  return createSentence('debug.why.suspect_message', { age }, now);
}
