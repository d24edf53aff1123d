import type { Hunk } from '#contract/projects.ts';
import type { RankedSuspect } from '#investigate/suspects/rank-suspects.ts';

/** Lines of a change that are read before its failing line without getting lost, and those that then stay above it. */
const [MAX_LINES_BEFORE, LINES_ABOVE] = [9, 5];

/** The lines of a suspect, from shortly before the one that fails where it is far from the first change of a long hunk. */
export function suspectHunk({ hunk, path, blame }: RankedSuspect): Hunk | null {
  if (!hunk || !blame || blame.origin.path !== path) return hunk;
  return hunkAtLine(hunk, blame.origin.line);
}

/** Cuts the beginning off a hunk whose `line`, counted in the new file, is far below its first change. */
export function hunkAtLine(hunk: Hunk, line: number): Hunk {
  const { lines } = hunk;
  const countBefore = (end: number, side: 'add' | 'delete') =>
    lines.slice(0, end).filter(({ kind }) => kind === 'context' || kind === side).length;
  let next = hunk.new_start;
  const at = lines.findIndex(({ kind }) => kind !== 'delete' && next++ === line);
  const first = lines.findIndex(({ kind }) => kind !== 'context');
  if (at - first < MAX_LINES_BEFORE) return hunk;
  const start = at - LINES_ABOVE;
  const [old, added] = [countBefore(start, 'delete'), countBefore(start, 'add')];
  return {
    ...hunk,
    old_start: hunk.old_start + old,
    old_lines: hunk.old_lines - old,
    new_start: hunk.new_start + added,
    new_lines: hunk.new_lines - added,
    lines: lines.slice(start),
  };
}
