import type { ChangeSpec, EditorState, Text } from '@codemirror/state';
import type { QuickFix } from '#contract/analysis.ts';
import type { Hunk } from '#contract/projects.ts';
import { offsetOf } from './line-offsets.ts';

/** Unchanged lines around a change in its preview. */
const CONTEXT_LINES = 1;

/** Changes of a quick fix to the text for which it was made. */
export function fixChanges(state: EditorState, { edits }: QuickFix): ChangeSpec[] {
  return edits.map(({ line, column, end_line, end_column, text }) => ({
    from: offsetOf(state.doc, line, column),
    to: offsetOf(state.doc, end_line, end_column),
    insert: state.toText(text),
  }));
}

/** Lines that a quick fix changes, as a diff. */
export function previewFix(state: EditorState, fix: QuickFix): Hunk[] {
  const { changes } = state.update({ changes: fixChanges(state, fix) });
  const after = changes.apply(state.doc);
  const hunks: Hunk[] = [];
  changes.iterChanges((fromA, toA, fromB, toB) => {
    hunks.push(toHunk({ doc: state.doc, from: fromA, to: toA }, { doc: after, from: fromB, to: toB }));
  });
  return hunks;
}

interface Side {
  doc: Text;
  from: number;
  to: number;
}

function toHunk(before: Side, after: Side): Hunk {
  const [old, next] = [linesOf(before), linesOf(after)];
  const same = commonLines(old.texts, next.texts);
  const first = Math.max(1, old.first - CONTEXT_LINES);
  const last = Math.min(before.doc.lines, old.last + CONTEXT_LINES);
  const context = (from: number, to: number) =>
    textsOf(before.doc, from, to).map((text) => line('context', text));
  const [oldEnd, nextEnd] = [old.texts.length - same.end, next.texts.length - same.end];
  const lines = [
    ...context(first, old.first + same.start - 1),
    ...old.texts.slice(same.start, oldEnd).map((text) => line('delete', text)),
    ...next.texts.slice(same.start, nextEnd).map((text) => line('add', text)),
    ...context(old.last - same.end + 1, last),
  ];
  return {
    old_start: first,
    old_lines: last - first + 1,
    new_start: next.first - (old.first - first),
    new_lines: lines.filter(({ kind }) => kind !== 'delete').length,
    header: '',
    lines,
  };
}

function line(kind: Hunk['lines'][number]['kind'], text: string): Hunk['lines'][number] {
  return { kind, text };
}

/** Number of lines that two texts share at their beginning and at their end. */
function commonLines(old: readonly string[], next: readonly string[]): { start: number; end: number } {
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  return { start, end };
}

function linesOf({ doc, from, to }: Side): { first: number; last: number; texts: string[] } {
  const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
  return { first, last, texts: textsOf(doc, first, last) };
}

function textsOf(doc: Text, from: number, to: number): string[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => doc.line(from + i).text);
}
