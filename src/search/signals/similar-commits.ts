import { onceFor } from '../memoize-by-identity.ts';
import { scoreCommits } from '../rank-documents.ts';
import type { Hit } from '../scoring/top-k.ts';
import type { Signal, SignalInput } from './signal.ts';

/** Earlier commits whose files count, and those whose files may come along with others. */
const NEAREST = 60;
const NEAR = 300;

/**
 * Files that commits with a like message changed: BM25 of the text against messages, squared so that a close
 * one outweighs many vague ones, over the nearest 60, shared among the files each touched; then the root.
 */
export const likeness: Signal = (input) => {
  const { starts, files } = input.history;
  const values = new Float32Array(input.code.fileCount);
  for (const { document, score } of nearestCommits(input).slice(0, NEAREST)) {
    const start = starts[document]!;
    const end = starts[document + 1]!;
    for (let i = start; i < end; i++) values[files[i]!]! += score ** 2 / (end - start);
  }
  return values.map(Math.sqrt);
};

/** The 300 commits whose messages are most like the text, by BM25, best first. */
export const nearestCommits = onceFor(({ memory, query }: SignalInput): Hit[] =>
  scoreCommits(memory, query.terms).best(NEAR),
);
