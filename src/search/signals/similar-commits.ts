import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import { scoreCommits } from '../lexical/rank-documents.ts';
import type { ScoredDoc } from '../lexical/top-k.ts';
import type { Signal, SignalInput } from './signal.ts';

/** Nearest commits for this signal, and for `coChangeInSimilarCommits`. */
const NEAREST_COMMITS = 60;
const CO_CHANGE_COMMITS = 300;

/**
 * Files changed by the 60 commits with the most similar messages: the root of the sum of squared BM25 scores, each
 * shared among the commit's files. Squaring lets one close match outweigh many vague ones.
 */
export const similarCommits: Signal = (input) => {
  const { starts, files } = input.history;
  const values = new Float32Array(input.code.fileCount);
  for (const { doc: commit, score } of nearestCommits(input).slice(0, NEAREST_COMMITS)) {
    const start = starts[commit]!;
    const end = starts[commit + 1]!;
    for (let i = start; i < end; i++) values[files[i]!]! += score ** 2 / (end - start);
  }
  return values.map(Math.sqrt);
};

/** The 300 commits with the most similar messages by BM25, best first. */
export const nearestCommits = memoizeByIdentity(({ index, query }: SignalInput): ScoredDoc[] =>
  scoreCommits(index, query.terms).topK(CO_CHANGE_COMMITS),
);
