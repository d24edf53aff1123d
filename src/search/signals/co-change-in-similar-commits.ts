import { sharpen } from './co-change.ts';
import { MAX_FILES_PER_COMMIT } from './co-change-scores.ts';
import type { NeighborSignal } from './signal.ts';
import { nearestCommits } from './similar-commits.ts';

/**
 * Files that changed together with one that fits, in earlier commits whose message is like the text:
 *
 *     value(f) = √( Σ over the nearest commits of f, with n files, of
 *                     score² · most of seed(g) among the others g in it / √(n - 1) )
 *
 * `company` asks how often files changed together at all; here one commit on the same matter tells.
 */
export const coChangeInSimilarCommits: NeighborSignal = (input, { rough }) => {
  const { starts, files } = input.history;
  const seeds = sharpen(rough);
  const values = new Float32Array(rough.length);
  for (const { doc: commit, score } of nearestCommits(input)) {
    const [start, end] = [starts[commit]!, starts[commit + 1]!];
    if (end - start < 2 || end - start > MAX_FILES_PER_COMMIT) continue;
    const worth = score ** 2 / Math.sqrt(end - start - 1);
    let [bestAt, best, second] = [start, 0, 0];
    for (let at = start; at < end; at++) {
      const seed = seeds[files[at]!]!;
      if (seed > best) [bestAt, best, second] = [at, seed, best];
      else if (seed > second) second = seed;
    }
    for (let at = start; at < end; at++) values[files[at]!]! += worth * (at === bestAt ? second : best);
  }
  return values.map(Math.sqrt);
};
