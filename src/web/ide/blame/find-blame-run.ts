import type { BlameRun } from '#contract/code.ts';

/** Run of a line of the saved text. Binary search: runs are ascending and cover the file. */
export function findBlameRun(runs: readonly BlameRun[], line: number): BlameRun | undefined {
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle]!.start <= line) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  return run && line >= run.start && line < run.start + run.lines ? run : undefined;
}
