import { type Diagnostic as Mark, setDiagnostics } from '@codemirror/lint';
import { type EditorState, type Extension, Prec, type Text, type TransactionSpec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { Diagnostic, FixedLines } from '#contract/analysis.ts';
import { offsetOf, toEditorDiagnostics } from '../editor-state.ts';
import { changesSinceSaved, currentLine } from '../saved-text.ts';
import { findingKey } from './use-ignored-findings.ts';

interface MarkHandlers {
  /** The text has changed. */
  onChange: () => void;
  /** Shows the quick fixes of the line of the cursor. */
  onFixes: (line: number) => void;
}

/** Listens to the text, and opens the quick fixes by Ctrl-. or ⌘-. */
export function analysisExtension({ onChange, onFixes }: MarkHandlers): Extension {
  return [
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
    Prec.high(
      keymap.of([
        {
          key: 'Mod-.',
          run({ state }) {
            onFixes(state.doc.lineAt(state.selection.main.head).number);
            return true;
          },
        },
      ]),
    ),
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
