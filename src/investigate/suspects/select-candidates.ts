import { isFixCommit } from '#evolution/fixes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/query/parse-query.ts';
import { Best } from '#search/scoring/top-k.ts';
import type { FormerNames } from '../history/renames.ts';
import type { Located } from '../locate/locate.ts';
import { type ErrorWords, enough } from '../text/error-words.ts';
import { type MessageScores, messageMass, scoreMessages } from './message-scores.ts';

/** A commit that may be named, with what its message is worth: 0 to 1. */
export interface Candidate {
  commit: number;
  message: number;
}

interface CandidateInput {
  memory: RepositoryIndex;
  query: Query;
  words: ErrorWords;
  located: Located;
  names: FormerNames;
  /** Seconds since 1970. */
  now: number;
}

/** Set by hand so that the culprit is among the best as often as possible; see `bench/results/suspects.md`. */
const WEIGHTS = { message: 1, title: 0.5, file: 0.6, recency: 0.3, order: 0.2 };
const STORIED_FILES = 12;
/** A commit that touched more files than this is about none of them. */
const SWEEP = 40;
const YEAR = 365.25 * 86_400;
/** Places in the order of commits beyond which nearness is below 2^-60. */
const FAR = 12_000;
/** Commits among which fixes are looked for. */
const READ_FOR_FIXES = 1_000;

/** How many commits are looked at closely. */
export interface CandidateLimits {
  suspects: number;
  fixes: number;
}

/**
 * The commits that are looked at closely, best first, by a sum that needs nothing but the memory: those whose message
 * is like the error or that touched the located files; and of these, the newest as suspects, the fixes as precedents.
 */
export function chooseCandidates(
  input: CandidateInput,
  limits: CandidateLimits,
): { suspects: Candidate[]; fixes: Candidate[] } {
  const { memory, query, words } = input;
  const scores = new Float64Array(memory.commits.count);
  const messages = addMessages(scores, memory, query);
  addFiles(scores, input);
  const candidates = (commits: Iterable<number>) =>
    Array.from(commits, (commit) => {
      return { commit, message: messages(commit) * enough(messageMass(words, memory, commit)) };
    });
  const fixes = candidates(likeliestFixes(scores, memory, limits.fixes));
  addTime(scores, input);
  // What merges brought is in their parents.
  const highest = new Best(2 * limits.suspects);
  for (let commit = 0; commit < scores.length; commit++) highest.offer(commit, scores[commit]!);
  const likely = highest
    .hits()
    .map(({ document }) => document)
    .filter((commit) => memory.commits.parents(commit).length < 2);
  return { suspects: candidates(likely.slice(0, limits.suspects)), fixes };
}

/** Only what is read is asked whether it is a fix: asking every commit takes longer than all the rest. */
function likeliestFixes(scores: Float64Array, memory: RepositoryIndex, limit: number): number[] {
  const found: number[] = [];
  const alike = new Best(READ_FOR_FIXES);
  for (let commit = 0; commit < scores.length; commit++) {
    if (scores[commit]! > 0) alike.offer(commit, scores[commit]!);
  }
  for (const { document } of alike.hits()) {
    if (found.length === limit) break;
    if (isFixCommit(memory, document)) found.push(document);
  }
  return found;
}

/** Adds how new a commit is. */
function addTime(scores: Float64Array, { memory: { commits }, now }: CandidateInput): void {
  for (let commit = 0; commit < scores.length; commit++) {
    const age = Math.max(0, now - commits.time(commit));
    const recency = Number.isNaN(age) ? 0 : 2 ** (-age / YEAR);
    // Further on it is less than a score can tell.
    const order = commit < FAR ? 2 ** (-commit / 200) : 0;
    scores[commit]! += WEIGHTS.recency * recency + WEIGHTS.order * order;
  }
}

/** Adds the likeness of messages; returns it for one commit, from 0 to 1. */
function addMessages(
  scores: Float64Array,
  memory: RepositoryIndex,
  query: Query,
): (commit: number) => number {
  for (const [terms, weight] of [
    [query.views.title, WEIGHTS.title],
    [query.terms, WEIGHTS.message],
  ] as const) {
    const found = scoreMessages(memory, terms);
    const highest = highestOf(found);
    for (const commit of found.commits) scores[commit]! += (weight * found.scores[commit]!) / highest;
  }
  const all = scoreMessages(memory, query.terms);
  const highest = highestOf(all);
  return (commit) => all.scores[commit]! / highest;
}

function highestOf({ commits, scores }: MessageScores): number {
  return commits.reduce((most, commit) => Math.max(most, scores[commit]!), 0) || 1;
}

function addFiles(scores: Float64Array, { memory, located, names }: CandidateInput): void {
  const { commits } = memory;
  const touched = new Map<number, number>();
  for (const { path, score } of located.files.slice(0, STORIED_FILES)) {
    for (const name of names.all(path)) {
      const number = commits.pathNumber(name);
      if (number < 0) continue;
      for (const commit of commits.touching(number)) {
        const share = score ** 2 * Math.min(1, SWEEP / commits.paths(commit).length);
        touched.set(commit, Math.max(touched.get(commit) ?? 0, share));
      }
    }
  }
  for (const [commit, share] of touched) scores[commit]! += WEIGHTS.file * share;
}
