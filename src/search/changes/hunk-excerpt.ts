import type { FileDiff, Hunk } from '#contract/projects.ts';
import type { HunkLocation } from '#memory/changes/hunk.ts';

/** Lines of a change that are shown, and characters of each: minified code would otherwise fill the page. */
const MAX_LINES = 10;
const MAX_LINE_LENGTH = 300;

/**
 * The part of a file's diff that lies at `place` and has the most lines that fit, with correct line numbers; null when
 * the diff does not reach so far.
 */
export function excerptHunk(
  file: FileDiff,
  place: Pick<HunkLocation, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'>,
  fits: (line: string) => boolean,
): Hunk | null {
  const hunk = file.hunks.find(
    ({ old_start, old_lines, new_start, new_lines }) =>
      place.oldStart + place.oldLines <= old_start + old_lines + 1 &&
      place.oldStart >= old_start &&
      place.newStart >= new_start &&
      place.newStart + place.newLines <= new_start + new_lines + 1,
  );
  if (!hunk) return null;
  const inside = (line: number, start: number, count: number) => line >= start && line < start + count;
  const worth: number[] = [];
  let [before, after] = [hunk.old_start, hunk.new_start];
  for (const { kind, text } of hunk.lines) {
    const isThere =
      kind === 'add'
        ? inside(after, place.newStart, place.newLines)
        : kind === 'delete' && inside(before, place.oldStart, place.oldLines);
    // A changed line is shown rather than none, one that fits rather than any other.
    worth.push(isThere ? (fits(text) ? 100 : 1) : 0);
    if (kind !== 'add') before++;
    if (kind !== 'delete') after++;
  }
  return sliceHunk(hunk, maxSumWindow(worth, MAX_LINES), MAX_LINES);
}

/** Where the window of so many numbers with the largest sum begins, put so that what counts stands in its middle. */
function maxSumWindow(worth: number[], size: number): number {
  let [sum, most, from, upTo] = [0, 0, 0, 0];
  for (let end = 0; end < worth.length; end++) {
    sum += worth[end]! - (worth[end - size] ?? 0);
    if (sum > most) [most, from, upTo] = [sum, Math.max(0, end - size + 1), end];
  }
  const first = worth.findIndex((value, index) => index >= from && value > 0);
  const spare = Math.max(0, size - (upTo - first + 1));
  return Math.max(0, Math.min(first - Math.floor(spare / 2), worth.length - size));
}

function sliceHunk(hunk: Hunk, from: number, size: number): Hunk {
  const skipped = hunk.lines.slice(0, from);
  const lines = hunk.lines.slice(from, from + size);
  const old = (all: Hunk['lines']) => all.filter(({ kind }) => kind !== 'add').length;
  const now = (all: Hunk['lines']) => all.filter(({ kind }) => kind !== 'delete').length;
  return {
    old_start: hunk.old_start + old(skipped),
    old_lines: old(lines),
    new_start: hunk.new_start + now(skipped),
    new_lines: now(lines),
    header: hunk.header,
    lines: lines.map(({ kind, text }) => ({ kind, text: text.slice(0, MAX_LINE_LENGTH) })),
  };
}
