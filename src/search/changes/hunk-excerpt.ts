import type { FileDiff, Hunk } from '#contract/projects.ts';
import type { HunkLocation } from '#memory/changes/hunk.ts';

/** Limits of an excerpt; minified code would otherwise fill the page. */
const MAX_LINES = 10;
const MAX_LINE_LENGTH = 300;

/**
 * The part of a file's diff within `range` that has the most matching lines, with correct line numbers; null when the
 * diff does not cover the range.
 */
export function excerptHunk(
  file: FileDiff,
  range: Pick<HunkLocation, 'oldStart' | 'oldLines' | 'newStart' | 'newLines'>,
  matches: (line: string) => boolean,
): Hunk | null {
  const hunk = file.hunks.find(
    ({ old_start, old_lines, new_start, new_lines }) =>
      range.oldStart + range.oldLines <= old_start + old_lines + 1 &&
      range.oldStart >= old_start &&
      range.newStart >= new_start &&
      range.newStart + range.newLines <= new_start + new_lines + 1,
  );
  if (!hunk) return null;
  const inside = (line: number, start: number, count: number) => line >= start && line < start + count;
  const lineScores: number[] = [];
  let [before, after] = [hunk.old_start, hunk.new_start];
  for (const { kind, text } of hunk.lines) {
    const isInRange =
      kind === 'add'
        ? inside(after, range.newStart, range.newLines)
        : kind === 'delete' && inside(before, range.oldStart, range.oldLines);
    // A matching line outweighs any window of other changed lines.
    lineScores.push(isInRange ? (matches(text) ? 100 : 1) : 0);
    if (kind !== 'add') before++;
    if (kind !== 'delete') after++;
  }
  return sliceHunk(hunk, maxSumWindow(lineScores, MAX_LINES), MAX_LINES);
}

/** Start of the window of `size` scores with the largest sum, moved so that the scores above 0 are centered. */
function maxSumWindow(lineScores: number[], size: number): number {
  let [sum, maxSum, from, upTo] = [0, 0, 0, 0];
  for (let end = 0; end < lineScores.length; end++) {
    sum += lineScores[end]! - (lineScores[end - size] ?? 0);
    if (sum > maxSum) [maxSum, from, upTo] = [sum, Math.max(0, end - size + 1), end];
  }
  const first = lineScores.findIndex((value, index) => index >= from && value > 0);
  const spare = Math.max(0, size - (upTo - first + 1));
  return Math.max(0, Math.min(first - Math.floor(spare / 2), lineScores.length - size));
}

function sliceHunk(hunk: Hunk, from: number, size: number): Hunk {
  const skipped = hunk.lines.slice(0, from);
  const lines = hunk.lines.slice(from, from + size);
  const oldCount = (all: Hunk['lines']) => all.filter(({ kind }) => kind !== 'add').length;
  const newCount = (all: Hunk['lines']) => all.filter(({ kind }) => kind !== 'delete').length;
  return {
    old_start: hunk.old_start + oldCount(skipped),
    old_lines: oldCount(lines),
    new_start: hunk.new_start + newCount(skipped),
    new_lines: newCount(lines),
    header: hunk.header,
    lines: lines.map(({ kind, text }) => ({ kind, text: text.slice(0, MAX_LINE_LENGTH) })),
  };
}
