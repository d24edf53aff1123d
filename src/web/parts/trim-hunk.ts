import type { Hunk } from '#contract/projects.ts';

const CONTEXT_LINES = 2;

/** The part of a hunk around its changes, with at most two lines before the first change and two after the last. */
export function trimHunk(hunk: Hunk): Hunk {
  const { lines } = hunk;
  const first = lines.findIndex(({ kind }) => kind !== 'context');
  if (first < 0) return hunk;
  const start = Math.max(0, first - CONTEXT_LINES);
  const end = lines.findLastIndex(({ kind }) => kind !== 'context') + 1 + CONTEXT_LINES;
  return {
    ...hunk,
    old_start: hunk.old_start + start,
    new_start: hunk.new_start + start,
    lines: lines.slice(start, end),
  };
}
