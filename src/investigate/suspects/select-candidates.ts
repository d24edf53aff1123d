import { isFixCommit } from '#evolution/fixes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Query } from '#search/query/parse-query.ts';
import { TopK } from '#search/scoring/top-k.ts';
import type { RenameHistory } from '../history/renames.ts';
import type { LocatedError } from '../locate/locate.ts';
import { type ErrorWords, saturate } from '../text/error-words.ts';
import { type MessageScores, sharedMessageMass, scoreMessages } from './message-scores.ts';

/** A commit that may be named, with what its message is worth: 0 to 1. */
export interface SuspectCandidate {
  commit: number;
  message: number;
}

interface CandidateInput {
  memory: RepositoryIndex;
  query: Query;
  words: ErrorWords;
  located: LocatedError;
  names: RenameHistory;
  /** Seconds since 1970. */
  now: number;
}

/** Set by hand so that the culprit is among the best as often as possible; see `bench/results/suspects.md`. */
const WEIGHTS = { message: 1, title: 0.5, file: 0.6, recency: 0.3, order: 0.2 };
const MAX_FILES = 12;
/** A commit that touched more files than this is about none of them. */
const MAX_FILES_PER_COMMIT = 40;
const YEAR = 365.25 * 86_400;
/** Places in the order of commits beyond which nearness is below 2^-60. */
const MAX_RECENT_COMMITS = 12_000;
/** Commits among which fixes are looked for. */
const MAX_FIX_CANDIDATES = 1_000;

/** How many commits are looked at closely. */
export interface CandidateLimits {
  suspects: number;
  fixes: number;
}

/**
 * The commits that are looked at closely, best first, by a sum that needs nothing but the memory: those whose message
 * is like the error or that touched the located files; and of these, the newest as suspects, the fixes as precedents.
 */
export function selectCandidates(
  input: CandidateInput,
  limits: CandidateLimits,
): { suspects: SuspectCandidate[]; fixes: SuspectCandidate[] } {
  const { memory, query, words } = input;
  const scores = new Float64Array(memory.commits.count);
  const messages = addMessageScores(scores, memory, query);
  addFileScores(scores, input);
  const candidates = (commits: Iterable<number>) =>
    Array.from(commits, (commit) => {
      return { commit, message: messages(commit) * saturate(sharedMessageMass(words, memory, commit)) };
    });
  const fixes = candidates(selectFixes(scores, memory, limits.fixes));
  addRecencyScores(scores, input);
  // What merges brought is in their parents.
  const highest = new TopK(2 * limits.suspects);
  for (let commit = 0; commit < scores.length; commit++) highest.push(commit, scores[commit]!);
  const likely = highest
    .sorted()
    .map(({ doc: document }) => document)
    .filter((commit) => memory.commits.parents(commit).length < 2);
  return { suspects: candidates(likely.slice(0, limits.suspects)), fixes };
}

/** Only what is read is asked whether it is a fix: asking every commit takes longer than all the rest. */
function selectFixes(scores: Float64Array, memory: RepositoryIndex, limit: number): number[] {
  const found: number[] = [];
  const alike = new TopK(MAX_FIX_CANDIDATES);
  for (let commit = 0; commit < scores.length; commit++) {
    if (scores[commit]! > 0) alike.push(commit, scores[commit]!);
  }
  for (const { doc: document } of alike.sorted()) {
    if (found.length === limit) break;
    if (isFixCommit(memory, document)) found.push(document);
  }
  return found;
}

/** Adds how new a commit is. */
function addRecencyScores(scores: Float64Array, { memory: { commits }, now }: CandidateInput): void {
  for (let commit = 0; commit < scores.length; commit++) {
    const age = Math.max(0, now - commits.time(commit));
    const recency = Number.isNaN(age) ? 0 : 2 ** (-age / YEAR);
    // Further on it is less than a score can tell.
    const order = commit < MAX_RECENT_COMMITS ? 2 ** (-commit / 200) : 0;
    scores[commit]! += WEIGHTS.recency * recency + WEIGHTS.order * order;
  }
}

/** Adds the likeness of messages; returns it for one commit, from 0 to 1. */
function addMessageScores(
  scores: Float64Array,
  memory: RepositoryIndex,
  query: Query,
): (commit: number) => number {
  for (const [terms, weight] of [
    [query.zones.title, WEIGHTS.title],
    [query.terms, WEIGHTS.message],
  ] as const) {
    const found = scoreMessages(memory, terms);
    const highest = maxMessageScore(found);
    for (const commit of found.commits) scores[commit]! += (weight * found.scores[commit]!) / highest;
  }
  const all = scoreMessages(memory, query.terms);
  const highest = maxMessageScore(all);
  return (commit) => all.scores[commit]! / highest;
}

function maxMessageScore({ commits, scores }: MessageScores): number {
  return commits.reduce((most, commit) => Math.max(most, scores[commit]!), 0) || 1;
}

function addFileScores(scores: Float64Array, { memory, located, names }: CandidateInput): void {
  const { commits } = memory;
  const touched = new Map<number, number>();
  for (const { path, score } of located.files.slice(0, MAX_FILES)) {
    for (const name of names.allPaths(path)) {
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
