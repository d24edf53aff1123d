import type { Sentence } from '#contract/common.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/query/parse-query.ts';
import { TermCounter } from '#search/terms/term-counter.ts';
import type { BlamedCommit } from '../history/blame-places.ts';
import type { RenameHistory } from '../history/renames.ts';
import type { LocatedError } from '../locate/locate.ts';
import { changedLinesText } from '../patch/hunk-text.ts';
import { type Age, age, say } from '../sentences.ts';
import { type ErrorWords, textSimilarity } from '../text/error-words.ts';
import { createFunctionMatcher } from './changed-functions.ts';
import { type BestHunk, extractDiffFeatures } from './diff-features.ts';
import { measureSuspectSignals, scoreSuspects } from './score-suspects.ts';
import type { SuspectCandidate } from './select-candidates.ts';
import { measureSurvivingLines } from './surviving-lines.ts';
import type { SuspectInput } from './suspect-signal.ts';

/** A commit that could have caused the error. */
export interface RankedSuspect {
  commit: number;
  /** 0 to 1: the probability that it is the one, if one of the candidates is. */
  score: number;
  path: string | null;
  hunk: Hunk | null;
  /** What blame says of it at a place. */
  blamed: BlamedCommit | null;
  why: Sentence;
}

const MAX_SUSPECTS = 5;

/** What is known when suspects are ranked. */
export interface RankSuspectsInput {
  memory: RepositoryIndex;
  query: Query;
  words: ErrorWords;
  candidates: SuspectCandidate[];
  /** Diffs of the candidates, by hash. */
  diffs: Map<string, FileDiff[]>;
  located: LocatedError;
  renames: RenameHistory;
  blamed: Map<number, BlamedCommit>;
  /** Seconds since 1970. */
  now: number;
}

/** Ranks the candidates by all signals and says of the best why they are suspected. */
export function rankSuspects(ranked: RankSuspectsInput): RankedSuspect[] {
  const input = buildSuspectInput(ranked);
  const sums = scoreSuspects(measureSuspectSignals(input, 'text'), input.commits.length);
  const highest = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - highest));
  const all = odds.reduce((a, b) => a + b, 0);
  return Array.from(odds, (odd, index) => ({ index, score: odd / all }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MAX_SUSPECTS)
    .map(({ index, score }) => toRankedSuspect(index, score, ranked.candidates[index]!, input));
}

/** Reads the candidates' diffs into what the signals measure. */
export function buildSuspectInput(ranked: RankSuspectsInput): SuspectInput {
  const { memory, query, words, located, renames: names, blamed, now, candidates, diffs } = ranked;
  const files = new Map(located.files.map(({ path, score }) => [path, score]));
  const scoreOf = (path: string) => files.get(names.currentPath(path)) ?? 0;
  const counter = termCounterFor(query, words);
  const commits = candidates.map(({ commit }) => commit);
  const changesFunction = createFunctionMatcher();
  const changes = commits.map((commit) =>
    extractDiffFeatures(diffs.get(memory.commits.oid(commit)) ?? [], blamed.get(commit) ?? null, {
      counter,
      words,
      located,
      names,
      changesFunction,
      scoreOf,
    }),
  );
  const known = { memory, query, words, located, names, blamed, now, commits, changes, scoreOf };
  return { ...known, surviving: measureSurvivingLines({ ...ranked, commits }) };
}

/** Suspects and fixes are counted by one counter, which has taken the words of either apart once. */
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
  index: number,
  score: number,
  { commit, message }: SuspectCandidate,
  input: SuspectInput,
): RankedSuspect {
  const { memory, now } = input;
  const { best } = input.diffFeatures[index]!;
  const blamed = input.blamed.get(commit) ?? null;
  const touched = touchedFile(input, commit);
  const when = age(memory.commits.time(commit), now);
  const shared = best ? textSimilarity(input.words, changedLinesText(best.hunk)).words : [];
  return {
    commit,
    score,
    path: best?.path ?? touched ?? firstPath(memory, commit),
    hunk: best?.hunk ?? null,
    blamed,
    why: explain({ blamed, best, shared, touched, when, message }),
  };
}

function touchedFile({ memory, scoreOf }: SuspectInput, commit: number): string | null {
  let best: { path: string | null; score: number } = { path: null, score: 0 };
  for (const number of memory.commits.paths(commit)) {
    const path = memory.commits.path(number);
    const score = scoreOf(path);
    if (score > best.score) best = { path, score };
  }
  return best.path;
}

function firstPath(memory: RepositoryIndex, commit: number): string | null {
  const [path] = memory.commits.paths(commit);
  return path === undefined ? null : memory.commits.path(path);
}

interface SuspectReasons {
  blamed: BlamedCommit | null;
  best: BestHunk | null;
  /** The rarest words that the best hunk shares with the error. */
  shared: string[];
  touched: string | null;
  when: Age;
  message: number;
}

function explain({ blamed, best, shared, touched, when, message }: SuspectReasons): Sentence {
  if (blamed) {
    const { line, path } = blamed;
    return say(blamed.isExactLine ? 'debug.why.suspect_line' : 'debug.why.suspect_near', { line, path, age: when });
  }
  if (best?.place?.symbol) {
    return say('debug.why.suspect_function', { symbol: best.place.symbol, path: best.path, age: when });
  }
  if (best && shared.length > 0) {
    return say('debug.why.suspect_alike', { path: best.path, age: when, words: shared });
  }
  if (touched && message < 0.5) return say('debug.why.suspect_file', { path: touched, age: when });
  return say('debug.why.suspect_message', { age: when });
}
