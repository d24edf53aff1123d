import type { NeighbourSignal } from './signal.ts';

/** Files whose company is looked at. */
const BEST = 10;

/**
 * Files that commits changed together with the best files so far, each commit's word shared among its files, and
 * divided by how often the best one was changed: near 1 for a file that always moves with it.
 */
export const company: NeighbourSignal = ({ code, history }, first) => {
  const weights = heaviest(first, BEST);
  const changes = new Float32Array(code.fileCount);
  for (const file of history.files) changes[file]!++;
  const values = new Float32Array(code.fileCount);
  for (let commit = 0; commit + 1 < history.starts.length; commit++) {
    const [start, end] = [history.starts[commit]!, history.starts[commit + 1]!];
    if (end - start < 2) continue;
    let weight = 0;
    for (let i = start; i < end; i++) {
      const file = history.files[i]!;
      if (weights[file]! > 0) weight += weights[file]! / changes[file]!;
    }
    if (weight === 0) continue;
    for (let i = start; i < end; i++) {
      const file = history.files[i]!;
      values[file]! +=
        (weight - (weights[file]! > 0 ? weights[file]! / changes[file]! : 0)) / (end - start - 1);
    }
  }
  return values;
};

/** The highest values kept, all others 0. */
export function heaviest(values: Float32Array, count: number): Float32Array {
  const least = values.toSorted().at(-count) ?? 0;
  return values.map((value) => (value >= least ? value : 0));
}
