import { sharpen } from './co-change.ts';
import { MAX_CO_CHANGED_FILES } from './co-change-scores.ts';
import type { NeighborSignal } from './signal.ts';
import { nearestCommits } from './similar-commits.ts';

/**
 * Co-change with matching files, restricted to commits whose message is similar to the text:
 *
 *     value(f) = √( Σ over the nearest commits of f, with n files, of
 *                     score² · max of seed(g) over the other files g in it / √(n - 1) )
 *
 * `coChange` counts all commits; here a single commit about the same subject is enough.
 */
export const coChangeInSimilarCommits: NeighborSignal = (input, { rough }) => {
  const { starts, files } = input.history;
  const seeds = sharpen(rough);
  const values = new Float32Array(rough.length);
  for (const { doc: commit, score } of nearestCommits(input)) {
    const [start, end] = [starts[commit]!, starts[commit + 1]!];
    if (end - start < 2 || end - start > MAX_CO_CHANGED_FILES) continue;
    const weight = score ** 2 / Math.sqrt(end - start - 1);
    let [bestAt, best, second] = [start, 0, 0];
    for (let at = start; at < end; at++) {
      const seed = seeds[files[at]!]!;
      if (seed > best) [bestAt, best, second] = [at, seed, best];
      else if (seed > second) second = seed;
    }
    for (let at = start; at < end; at++) values[files[at]!]! += weight * (at === bestAt ? second : best);
  }
  return values.map(Math.sqrt);
};
