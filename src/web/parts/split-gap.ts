import type { Hunk } from '#contract/projects.ts';

/** Lines of a file between two hunks, before the first or after the last. */
export interface Gap {
  /** First hidden line after the change. */
  from: number;
  /** Last hidden line; null for the end of the file. */
  to: number | null;
  /** Number of a line before the change minus its number after it. */
  offset: number;
}

/** Revealed lines below the previous hunk and above the next, and the number of the others; null while that is unknown. */
export function splitGap(
  { from, to, offset }: Gap,
  lines: readonly string[] | null,
  revealed: number,
): { top: Hunk | null; hidden: number | null; bottom: Hunk | null } {
  const end = to ?? lines?.length ?? null;
  if (lines === null || end === null)
    return { top: null, hidden: end === null ? null : end - from + 1, bottom: null };
  const hunk = (first: number, count: number): Hunk | null =>
    count <= 0
      ? null
      : {
          old_start: first + offset,
          old_lines: count,
          new_start: first,
          new_lines: count,
          header: '',
          lines: lines.slice(first - 1, first - 1 + count).map((text) => ({ kind: 'context', text })),
        };
  const total = Math.max(0, end - from + 1);
  const above = from === 1 ? 0 : Math.min(revealed, total);
  const below = to === null ? 0 : Math.min(revealed, total);
  if (above + below >= total) return { top: hunk(from, total), hidden: 0, bottom: null };
  return { top: hunk(from, above), hidden: total - above - below, bottom: hunk(end - below + 1, below) };
}

/** Lines without their ends; a final line feed ends the last line. */
export function splitGapLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
