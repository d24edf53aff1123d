import type { ApiReply } from '#contract/api.ts';
import type { LineRange } from '../parts/code-view.tsx';

type FileReply = ApiReply<'GET /projects/:id/files/*'>;

/** Lines of a window: enough to read on, few enough for a fast blame. */
const WINDOW_LINES = 1_000;

const CONTEXT_LINES_BEFORE = 200;

/** First window, with the selected lines well inside. */
export function firstWindow(marked: LineRange | null): LineRange {
  const from = Math.max(1, (marked?.from ?? 1) - CONTEXT_LINES_BEFORE);
  return { from, to: from + WINDOW_LINES - 1 };
}

/** Window before the first loaded line, or undefined at the start. */
export function windowBefore(first: FileReply): LineRange | undefined {
  if (first.start <= 1) return undefined;
  return { from: Math.max(1, first.start - WINDOW_LINES), to: first.start - 1 };
}

/** Window after the last loaded line, or undefined at the end. */
export function windowAfter(last: FileReply): LineRange | undefined {
  const from = last.start + last.lines.length;
  return from > last.total_lines ? undefined : { from, to: from + WINDOW_LINES - 1 };
}

/** Joins adjacent windows. */
export function joinWindows(windows: FileReply[]): FileReply | null {
  const [first] = windows;
  if (!first) return null;
  return {
    ...first,
    lines: windows.flatMap((file) => file.lines),
    blame: windows.every((file) => file.blame.length > 0) ? windows.flatMap((file) => file.blame) : [],
  };
}
