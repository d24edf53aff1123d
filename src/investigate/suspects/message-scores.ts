import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryTerm } from '#search/lexical/parse-query.ts';
import { scoreCommits } from '#search/lexical/rank-documents.ts';
import { type ErrorWords, textSimilarity } from '../locate/error-words.ts';

/** BM25 scores of all commit messages. */
export interface MessageScores {
  /** Commits with a score above 0, unordered. */
  commits: Uint32Array;
  /** Score by commit number. */
  scores: Float64Array;
}

/** Cached by the array of terms, which lives as long as its query. */
const cache = new WeakMap<readonly QueryTerm[], MessageScores & { index: RepositoryIndex }>();

/** Scores all messages for some terms; cached for the same array of terms. */
export function scoreMessages(index: RepositoryIndex, terms: QueryTerm[]): MessageScores {
  const cached = cache.get(terms);
  if (cached?.index === index) return cached;
  const scorer = scoreCommits(index, terms);
  const commits = scorer.matches().slice();
  const scores = new Float64Array(index.commits.count);
  for (const commit of commits) scores[commit] = scorer.score(commit);
  const result = { index, commits, scores };
  cache.set(terms, result);
  return result;
}

const massesOf = memoizeByIdentity((_: ErrorWords) => new Map<number, number>());

/** Total idf in nats of the words that a commit's message shares with an error; cached per error. */
export function sharedMessageMass(words: ErrorWords, index: RepositoryIndex, commit: number): number {
  const masses = massesOf(words);
  const mass = masses.get(commit) ?? textSimilarity(words, index.commits.message(commit)).sharedMass;
  masses.set(commit, mass);
  return mass;
}
