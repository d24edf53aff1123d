import type { Hunk } from '#contract/projects.ts';

/** Applies hunks, each at the match nearest to its stated line; null when a hunk matches nowhere. */
export function applyHunks(text: string, hunks: Hunk[]): string | null {
  const lines = text.split('\n');
  let moved = 0;
  for (const { old_start, lines: changes } of hunks) {
    const before = changes.filter(({ kind }) => kind !== 'add').map((line) => line.text);
    const after = changes.filter(({ kind }) => kind !== 'delete').map((line) => line.text);
    const at = findNearest(lines, before, Math.max(0, old_start - 1) + moved);
    if (at === null) return null;
    lines.splice(at, before.length, ...after);
    moved += after.length - before.length;
  }
  return lines.join('\n');
}

/** Index of `wanted` in `lines` nearest to `near`, or null. */
function findNearest(lines: string[], wanted: string[], near: number): number | null {
  const fits = (at: number) =>
    at >= 0 &&
    at + wanted.length <= lines.length &&
    wanted.every((line, offset) => lines[at + offset] === line);
  for (let away = 0; away <= lines.length; away++) {
    if (fits(near - away)) return near - away;
    if (fits(near + away)) return near + away;
  }
  return null;
}
