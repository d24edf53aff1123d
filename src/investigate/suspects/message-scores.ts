import type { Memory } from '#memory/memory.ts';
import type { QueryTerm } from '#search/query.ts';
import { scoreCommits } from '#search/rank.ts';

/** BM25 of every commit's message against some terms. */
export interface MessageScores {
  /** Commits with a score above 0, in no order. */
  commits: Uint32Array;
  /** By commit. */
  scores: Float64Array;
}

/** Scores live as long as the terms that they are for, which is one question. */
const known = new WeakMap<readonly QueryTerm[], MessageScores & { memory: Memory }>();

/** Scores all messages; the same terms, asked of again for another list of commits, cost nothing more. */
export function scoreMessages(memory: Memory, terms: QueryTerm[]): MessageScores {
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
