import { isFixCommit } from '#evolution/fixes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/lexical/parse-query.ts';
import { TopK } from '#search/lexical/top-k.ts';
import type { RenameHistory } from '../history/renames.ts';
import { type ErrorWords, saturate } from '../locate/error-words.ts';
import type { LocatedError } from '../locate/locate.ts';
import { type MessageScores, scoreMessages, sharedMessageMass } from './message-scores.ts';

/** A commit that is examined as a suspect or as a precedent. */
export interface SuspectCandidate {
  commit: number;
  /** Similarity of its message to the error, 0 to 1. */
  messageScore: number;
}

interface CandidateInput {
  index: RepositoryIndex;
  query: Query;
  words: ErrorWords;
  located: LocatedError;
  renames: RenameHistory;
  /** Unix time in seconds. */
  now: number;
}

/** Set by hand to maximize the recall of culprits; see `bench/results/suspects.md`. */
const WEIGHTS = { message: 1, title: 0.5, file: 0.6, recency: 0.3, order: 0.2 };
const MAX_FILES = 12;
/** Commits of more files count proportionally less. */
const MAX_FILES_PER_COMMIT = 40;
const YEAR = 365.25 * 86_400;
/** Older commits have an order score below 2^-60, less than a score can represent. */
const MAX_RECENT_COMMITS = 12_000;
/** Best commits among which fixes are searched. */
const MAX_FIX_CANDIDATES = 1_000;

/** Newest commits, and newest commits of each of the best files, that are candidates whatever they say. */
const NEWEST_COMMITS = 10;
const NEWEST_PER_FILE = 8;
const MAX_NEWEST_FILES = 3;

/** Maximum number of candidates by score; the newest commits come in addition. */
export interface CandidateLimits {
  suspects: number;
  fixes: number;
}

/**
 * Selects candidates by a score from the index alone, best first: commits with a similar message or that touched the
 * located files. Suspects also count by recency, and the newest ones are added; precedents are the fixes among them.
 */
export function selectCandidates(
  input: CandidateInput,
  limits: CandidateLimits,
): { suspects: SuspectCandidate[]; fixes: SuspectCandidate[] } {
  const { index, query, words } = input;
  const scores = new Float64Array(index.commits.count);
  const messageScoreOf = addMessageScores(scores, index, query);
  addFileScores(scores, input);
  const toCandidates = (commits: Iterable<number>) =>
    Array.from(commits, (commit) => {
      return {
        commit,
        messageScore: messageScoreOf(commit) * saturate(sharedMessageMass(words, index, commit)),
      };
    });
  const fixes = toCandidates(selectFixes(scores, index, limits.fixes));
  addRecencyScores(scores, input);
  // Twice the limit, since merges are dropped: their changes are in their parents.
  const best = new TopK(2 * limits.suspects);
  for (let commit = 0; commit < scores.length; commit++) best.push(commit, scores[commit]!);
  const likely = best
    .sorted()
    .map(({ doc }) => doc)
    .filter((commit) => index.commits.parents(commit).length < 2);
  const suspects = new Set([...likely.slice(0, limits.suspects), ...newestCommits(input)]);
  return { suspects: toCandidates(suspects), fixes };
}

/** The newest commits, and those of the best located files under all their names; merges excluded. */
function newestCommits({ index: { commits }, located, renames }: CandidateInput): number[] {
  const newest = (some: Iterable<number>, count: number) =>
    [...some]
      .sort((a, b) => a - b)
      .filter((commit) => commits.parents(commit).length < 2)
      .slice(0, count);
  const ofFiles = located.files.slice(0, MAX_NEWEST_FILES).flatMap(({ path }) => {
    const numbers = renames.allPaths(path).map((name) => commits.pathNumber(name));
    const touching = numbers.flatMap((number) => (number < 0 ? [] : [...commits.touching(number)]));
    return newest(new Set(touching), NEWEST_PER_FILE);
  });
  const first = Array.from({ length: Math.min(commits.count, 4 * NEWEST_COMMITS) }, (_, commit) => commit);
  return [...ofFiles, ...newest(first, NEWEST_COMMITS)];
}

/** The fixes among the best commits; testing every commit takes longer than everything else. */
function selectFixes(scores: Float64Array, index: RepositoryIndex, limit: number): number[] {
  const found: number[] = [];
  const best = new TopK(MAX_FIX_CANDIDATES);
  for (let commit = 0; commit < scores.length; commit++) {
    if (scores[commit]! > 0) best.push(commit, scores[commit]!);
  }
  for (const { doc } of best.sorted()) {
    if (found.length === limit) break;
    if (isFixCommit(index, doc)) found.push(doc);
  }
  return found;
}

/** Adds the recency of each commit. */
function addRecencyScores(scores: Float64Array, { index: { commits }, now }: CandidateInput): void {
  for (let commit = 0; commit < scores.length; commit++) {
    const age = Math.max(0, now - commits.time(commit));
    const recency = Number.isNaN(age) ? 0 : 2 ** (-age / YEAR);
    const order = commit < MAX_RECENT_COMMITS ? 2 ** (-commit / 200) : 0;
    scores[commit]! += WEIGHTS.recency * recency + WEIGHTS.order * order;
  }
}

/** Adds the similarity of messages; returns a function for that of one commit, from 0 to 1. */
function addMessageScores(
  scores: Float64Array,
  index: RepositoryIndex,
  query: Query,
): (commit: number) => number {
  for (const [terms, weight] of [
    [query.zones.title, WEIGHTS.title],
    [query.terms, WEIGHTS.message],
  ] as const) {
    const messages = scoreMessages(index, terms);
    const maxScore = maxMessageScore(messages);
    for (const commit of messages.commits) scores[commit]! += (weight * messages.scores[commit]!) / maxScore;
  }
  const all = scoreMessages(index, query.terms);
  const maxScore = maxMessageScore(all);
  return (commit) => all.scores[commit]! / maxScore;
}

function maxMessageScore({ commits, scores }: MessageScores): number {
  return commits.reduce((max, commit) => Math.max(max, scores[commit]!), 0) || 1;
}

function addFileScores(scores: Float64Array, { index, located, renames }: CandidateInput): void {
  const { commits } = index;
  const touched = new Map<number, number>();
  for (const { path, score } of located.files.slice(0, MAX_FILES)) {
    for (const name of renames.allPaths(path)) {
      const number = commits.pathNumber(name);
      if (number < 0) continue;
      for (const commit of commits.touching(number)) {
        const share = score ** 2 * Math.min(1, MAX_FILES_PER_COMMIT / commits.paths(commit).length);
        touched.set(commit, Math.max(touched.get(commit) ?? 0, share));
      }
    }
  }
  for (const [commit, share] of touched) scores[commit]! += WEIGHTS.file * share;
}
