import type { Sentence } from '#contract/common.ts';
import type { FileDiff, Hunk } from '#contract/projects.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/query/parse-query.ts';
import { TermCounter } from '#search/terms/term-counter.ts';
import type { Blamed } from '../history/blame-places.ts';
import type { FormerNames } from '../history/renames.ts';
import type { Located } from '../locate/locate.ts';
import { changedText } from '../patch/hunk-text.ts';
import { type Age, age, say } from '../sentences.ts';
import { type ErrorWords, likeness } from '../text/error-words.ts';
import { functionChanges } from './changed-functions.ts';
import { type BestHunk, readChange } from './diff-features.ts';
import { measure, weigh } from './score-suspects.ts';
import type { Candidate } from './select-candidates.ts';
import { readStanding } from './surviving-lines.ts';
import type { SuspectInput } from './suspect-signal.ts';

/** A commit that could have caused the error. */
export interface RankedSuspect {
  commit: number;
  /** 0 to 1: the probability that it is the one, if one of the candidates is. */
  score: number;
  path: string | null;
  hunk: Hunk | null;
  /** What blame says of it at a place. */
  blamed: Blamed | null;
  why: Sentence;
}

const SHOWN_SUSPECTS = 5;

/** What is known when suspects are ranked. */
export interface RankInput {
  memory: RepositoryIndex;
  query: Query;
  words: ErrorWords;
  candidates: Candidate[];
  /** Diffs of the candidates, by hash. */
  diffs: Map<string, FileDiff[]>;
  located: Located;
  names: FormerNames;
  blamed: Map<number, Blamed>;
  /** Seconds since 1970. */
  now: number;
}

/** Ranks the candidates by all signals and says of the best why they are suspected. */
export function rankSuspects(ranked: RankInput): RankedSuspect[] {
  const input = readCandidates(ranked);
  const sums = weigh(measure(input, 'text'), input.commits.length);
  const highest = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - highest));
  const all = odds.reduce((a, b) => a + b, 0);
  return Array.from(odds, (odd, index) => ({ index, score: odd / all }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, SHOWN_SUSPECTS)
    .map(({ index, score }) => present(index, score, ranked.candidates[index]!, input));
}

/** Reads the candidates' diffs into what the signals measure. */
export function readCandidates(ranked: RankInput): SuspectInput {
  const { memory, query, words, located, names, blamed, now, candidates, diffs } = ranked;
  const files = new Map(located.files.map(({ path, score }) => [path, score]));
  const scoreOf = (path: string) => files.get(names.current(path)) ?? 0;
  const counter = counterOf(query, words);
  const commits = candidates.map(({ commit }) => commit);
  const changesFunction = functionChanges();
  const changes = commits.map((commit) =>
    readChange(diffs.get(memory.commits.oid(commit)) ?? [], blamed.get(commit) ?? null, {
      counter,
      words,
      located,
      names,
      changesFunction,
      scoreOf,
    }),
  );
  const known = { memory, query, words, located, names, blamed, now, commits, changes, scoreOf };
  return { ...known, standing: readStanding({ ...ranked, commits }) };
}

/** Suspects and fixes are counted by one counter, which has taken the words of either apart once. */
function counterOf(query: Query, words: ErrorWords): TermCounter {
  let counter = counters.get(query);
  if (!counter) {
    counter = new TermCounter([...words.known.keys(), ...query.terms.map(({ term }) => term)]);
    counters.set(query, counter);
  }
  return counter;
}

const counters = new WeakMap<Query, TermCounter>();

function present(
  index: number,
  score: number,
  { commit, message }: Candidate,
  input: SuspectInput,
): RankedSuspect {
  const { memory, now } = input;
  const { best } = input.changes[index]!;
  const blamed = input.blamed.get(commit) ?? null;
  const touched = touchedFile(input, commit);
  const when = age(memory.commits.time(commit), now);
  const shared = best ? likeness(input.words, changedText(best.hunk)).words : [];
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

interface Reasons {
  blamed: Blamed | null;
  best: BestHunk | null;
  /** The rarest words that the best hunk shares with the error. */
  shared: string[];
  touched: string | null;
  when: Age;
  message: number;
}

function explain({ blamed, best, shared, touched, when, message }: Reasons): Sentence {
  if (blamed) {
    const { line, path } = blamed;
    return say(blamed.exact ? 'debug.why.suspect_line' : 'debug.why.suspect_near', { line, path, age: when });
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
