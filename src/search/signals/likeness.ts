import { scoreCommits } from '../rank.ts';
import type { Signal } from './signal.ts';

/** Earlier commits that are compared. */
const NEAREST = 60;

/**
 * Files that commits with a like message changed: BM25 of the text against messages, squared so that a close
 * one outweighs many vague ones, over the nearest 60, shared among the files each touched; then the root.
 */
export const likeness: Signal = ({ memory, code, query, history }) => {
  const scorer = scoreCommits(memory, query.terms);
  const values = new Float32Array(code.fileCount);
  for (const { document, score } of scorer.best(NEAREST)) {
    const start = history.starts[document]!;
    const end = history.starts[document + 1]!;
    for (let i = start; i < end; i++) values[history.files[i]!]! += score ** 2 / (end - start);
  }
  return values.map(Math.sqrt);
};
