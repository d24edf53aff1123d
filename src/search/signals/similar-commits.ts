import { memoizeByIdentity } from '../memoize-by-identity.ts';
import { scoreCommits } from '../rank-documents.ts';
import type { ScoredDoc } from '../scoring/top-k.ts';
import type { Signal, SignalInput } from './signal.ts';

/** Earlier commits whose files count, and those whose files may come along with others. */
const NEAREST_COMMITS = 60;
const CO_CHANGE_COMMITS = 300;

/**
 * Files that commits with a like message changed: BM25 of the text against messages, squared so that a close
 * one outweighs many vague ones, over the nearest 60, shared among the files each touched; then the root.
 */
export const similarCommits: Signal = (input) => {
  const { starts, files } = input.history;
  const values = new Float32Array(input.code.fileCount);
  for (const { doc: document, score } of nearestCommits(input).slice(0, NEAREST_COMMITS)) {
    const start = starts[document]!;
    const end = starts[document + 1]!;
    for (let i = start; i < end; i++) values[files[i]!]! += score ** 2 / (end - start);
  }
  return values.map(Math.sqrt);
};

/** The 300 commits whose messages are most like the text, by BM25, best first. */
export const nearestCommits = memoizeByIdentity(({ memory, query }: SignalInput): ScoredDoc[] =>
  scoreCommits(memory, query.terms).topK(CO_CHANGE_COMMITS),
);
