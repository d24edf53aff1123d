import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryTerm } from '#search/query/parse-query.ts';
import { scoreCommits } from '#search/rank-documents.ts';
import { type ErrorWords, textSimilarity } from '../text/error-words.ts';

/** BM25 of every commit's message against some terms. */
export interface MessageScores {
  /** Commits with a score above 0, in no order. */
  commits: Uint32Array;
  /** By commit. */
  scores: Float64Array;
}

/** Scores live as long as the terms that they are for, which is one question. */
const known = new WeakMap<readonly QueryTerm[], MessageScores & { memory: RepositoryIndex }>();

/** Scores all messages; the same terms, asked of again for another list of commits, cost nothing more. */
export function scoreMessages(memory: RepositoryIndex, terms: QueryTerm[]): MessageScores {
  const before = known.get(terms);
  if (before?.memory === memory) return before;
  const scorer = scoreCommits(memory, terms);
  const commits = scorer.documents().slice();
  const scores = new Float64Array(memory.commits.count);
  for (const commit of commits) scores[commit] = scorer.score(commit);
  const found = { memory, commits, scores };
  known.set(terms, found);
  return found;
}

/** By the words of an error, which is one question. */
const masses = new WeakMap<ErrorWords, Map<number, number>>();

/** Rarity in nats of the words that a commit's message shares with an error; read once, however often it is asked for. */
export function sharedMessageMass(words: ErrorWords, memory: RepositoryIndex, commit: number): number {
  const known = masses.get(words) ?? new Map<number, number>();
  masses.set(words, known);
  const mass = known.get(commit) ?? textSimilarity(words, memory.commits.message(commit)).sharedMass;
  known.set(commit, mass);
  return mass;
}
