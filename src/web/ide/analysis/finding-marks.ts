import {
  lintGutter,
  type Diagnostic as Mark,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnostics,
} from '@codemirror/lint';
import type { EditorState, Extension, Text, TransactionSpec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import type { Diagnostic, FixedLines } from '#contract/analysis.ts';
import { changesSinceSaved, currentLine } from '../saved-text.ts';
import { clampedLine, offsetOf } from './line-offsets.ts';
import { findingKey } from './use-ignored-findings.ts';

/** Gutter of the findings. F8 and Shift-F8 move between them. */
export function findingsExtension(): Extension {
  return [
    lintGutter(),
    keymap.of([
      { key: 'F8', run: nextDiagnostic },
      { key: 'Shift-F8', run: previousDiagnostic },
    ]),
  ];
}

interface MarkWords {
  /** Label of the button that shows the fixes of a finding. */
  fixes: string;
  fixedBefore: (lines: FixedLines) => string;
}

interface MarkedFindings {
  findings: readonly Diagnostic[];
  fixedLines: readonly FixedLines[];
  /** Last saved text; null for a new file. */
  saved: Text | null;
  words: MarkWords;
  onFixes: (key: string) => void;
}

/** Marks findings, and changed lines that a fix wrote, in the text. */
export function markFindings(state: EditorState, options: MarkedFindings): TransactionSpec {
  const { findings, fixedLines, saved, words, onFixes } = options;
  const marks = toEditorDiagnostics(findings, state.doc).map((mark, at) => {
    const finding = findings[at]!;
    if (!finding.fixes?.length) return mark;
    return { ...mark, actions: [{ name: words.fixes, apply: () => onFixes(findingKey(finding)) }] };
  });
  const fixed = saved ? changedFixedLines(state, saved, fixedLines) : [];
  const risks = fixed.map(({ at, lines }): Mark => {
    const from = offsetOf(state.doc, at, 1);
    return {
      from,
      to: state.doc.lineAt(from).to,
      severity: 'info',
      message: words.fixedBefore(lines),
      source: 'git',
    };
  });
  return setDiagnostics(
    state,
    [...marks, ...risks].sort((a, b) => a.from - b.from),
  );
}

/** Lines of earlier fixes that the unsaved changes touch, each with its place in the editor. */
export function changedFixedLines(
  state: EditorState,
  saved: Text,
  fixedLines: readonly FixedLines[],
): { at: number; lines: FixedLines }[] {
  const changes = state.field(changesSinceSaved, false);
  if (!changes || changes.empty || changes.length !== saved.length) return [];
  const touched: [from: number, to: number][] = [];
  changes.iterChangedRanges((from, to) => {
    touched.push([saved.lineAt(from).number, saved.lineAt(to).number]);
  });
  return fixedLines.flatMap((lines) => {
    const last = lines.line + lines.lines - 1;
    const touch = touched.find(([from, to]) => from <= last && to >= lines.line);
    const at = touch && currentLine(state, saved, Math.max(lines.line, touch[0]));
    return at ? [{ at, lines }] : [];
  });
}

/** Converts findings to editor diagnostics, clamped to the document. */
function toEditorDiagnostics(findings: readonly Diagnostic[], doc: Text): Mark[] {
  return findings.map(({ line, column, end_line, end_column, message, severity, source }) => {
    const from = offsetOf(doc, line, column ?? 1);
    const end = end_line === undefined ? clampedLine(doc, line).to : offsetOf(doc, end_line, end_column ?? 1);
    return { from, to: Math.max(from, end), message, severity: severity ?? 'error', source };
  });
}
