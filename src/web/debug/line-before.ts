import type { Hunk } from '#contract/projects.ts';

/** Number that a line of the new side had before a change; for an added line, the line in whose place it came. */
export function lineBefore(hunks: readonly Hunk[], line: number): number {
  let shift = 0;
  for (const hunk of hunks) {
    if (line < hunk.new_start) break;
    if (line < hunk.new_start + hunk.new_lines) return Math.max(1, lineInHunk(hunk, line));
    shift += hunk.old_lines - hunk.new_lines;
  }
  return Math.max(1, line + shift);
}

function lineInHunk(hunk: Hunk, line: number): number {
  let before = hunk.old_start;
  let after = hunk.new_start;
  /** Lines deleted and added since the last line of context. */
  let deleted = 0;
  let added = 0;
  for (const { kind } of hunk.lines) {
    if (kind === 'delete') {
      deleted += 1;
      before += 1;
      continue;
    }
    if (kind === 'context') {
      deleted = 0;
      added = 0;
    }
    if (after === line) {
      // Replaced lines are paired in order.
      return kind === 'context' || deleted === 0 ? before : before - deleted + Math.min(added, deleted - 1);
    }
    after += 1;
    if (kind === 'context') before += 1;
    else added += 1;
  }
  return before;
}
