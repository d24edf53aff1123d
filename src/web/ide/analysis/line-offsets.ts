import type { Line, Text } from '@codemirror/state';

/** The offset of a line and column, both from 1. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = clampedLine(doc, line);
  return Math.min(from + column - 1, to);
}

/** A line by its number from 1; the nearest one of the document for a number beyond it. */
export function clampedLine(doc: Text, line: number): Line {
  return doc.line(Math.min(Math.max(line, 1), doc.lines));
}
