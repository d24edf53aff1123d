import type { RepositoryIndex } from '#memory/repository-index.ts';
import { memoizeByIdentity } from '#search/memoize-by-identity.ts';
import type { QueryTerm } from '#search/query/parse-query.ts';
import { scoreCommits } from '#search/rank-documents.ts';
import { type ErrorWords, textSimilarity } from '../text/error-words.ts';

/** BM25 scores of all commit messages. */
export interface MessageScores {
  /** Commits with a score above 0, unordered. */
  commits: Uint32Array;
  /** Score by commit number. */
  scores: Float64Array;
}

/** Cached by the array of terms, which lives as long as its query. */
const cache = new WeakMap<readonly QueryTerm[], MessageScores & { memory: RepositoryIndex }>();

/** Scores all messages for some terms; cached for the same array of terms. */
export function scoreMessages(memory: RepositoryIndex, terms: QueryTerm[]): MessageScores {
  const cached = cache.get(terms);
  if (cached?.memory === memory) return cached;
  const scorer = scoreCommits(memory, terms);
  const commits = scorer.matches().slice();
  const scores = new Float64Array(memory.commits.count);
  for (const commit of commits) scores[commit] = scorer.score(commit);
  const result = { memory, commits, scores };
  cache.set(terms, result);
  return result;
}

const massesOf = memoizeByIdentity((_: ErrorWords) => new Map<number, number>());

/** Total idf in nats of the words that a commit's message shares with an error; cached per error. */
export function sharedMessageMass(words: ErrorWords, memory: RepositoryIndex, commit: number): number {
  const masses = massesOf(words);
  const mass = masses.get(commit) ?? textSimilarity(words, memory.commits.message(commit)).sharedMass;
  masses.set(commit, mass);
  return mass;
}
