import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';

/** Place of a conflict in the text that is saved. */
export interface ConflictRange {
  from: number;
  to: number;
  isOpen: boolean;
}

const setRanges = StateEffect.define<{ at: number; range: ConflictRange }>();

/** Ranges of the conflicts of a document, in order. */
const rangesField = StateField.define<readonly ConflictRange[]>({
  create: () => [],
  update(ranges, { changes, docChanged, effects }) {
    const mapped = docChanged
      ? ranges.map(({ from, to, isOpen }) => ({
          from: changes.mapPos(from, -1),
          to: changes.mapPos(to, 1),
          isOpen,
        }))
      : ranges;
    return effects.reduce(
      (now, effect) => (effect.is(setRanges) ? now.with(effect.value.at, effect.value.range) : now),
      mapped,
    );
  },
  provide: (field) => EditorView.decorations.from(field, (ranges) => (view) => decorate(view.state, ranges)),
});

/** Marks the conflicts of a document. */
export const conflictRanges = (ranges: readonly ConflictRange[]): Extension => [
  rangesField.init(() => ranges),
  conflictTheme,
];

/** The conflicts of a state where they stand now. */
export const readRanges = (state: EditorState): readonly ConflictRange[] => state.field(rangesField);

/** Replaces the text of a conflict, which is then resolved; without a text, it is resolved as it stands. */
export function resolveRange(view: EditorView, at: number, text: string | null): void {
  const { from, to } = readRanges(view.state)[at]!;
  const end = text === null ? to : from + text.length;
  view.dispatch({
    ...(text !== null && { changes: { from, to, insert: text } }),
    effects: setRanges.of({ at, range: { from, to: end, isOpen: false } }),
    selection: { anchor: from },
    scrollIntoView: true,
  });
}

const OPEN = Decoration.line({ class: 'cm-conflict' });
const RESOLVED = Decoration.line({ class: 'cm-conflict-resolved' });

function decorate(state: EditorState, ranges: readonly ConflictRange[]) {
  const marks = ranges.flatMap(({ from, to, isOpen }) => {
    const first = state.doc.lineAt(Math.min(from, state.doc.length)).number;
    // A range ends with the line feed of its last line.
    const last = state.doc.lineAt(Math.max(from, Math.min(to, state.doc.length) - 1)).number;
    return Array.from({ length: last - first + 1 }, (_, at) =>
      (isOpen ? OPEN : RESOLVED).range(state.doc.line(first + at).from),
    );
  });
  return Decoration.set(marks, true);
}

/** Look of conflicts, also in the versions that can only be read. */
export const conflictTheme = EditorView.theme({
  '.cm-conflict': {
    backgroundColor: 'color-mix(in oklch, var(--warning) 12%, transparent)',
    boxShadow: 'inset 3px 0 var(--warning)',
  },
  // A ground of its own would take contrast from the code.
  '.cm-conflict-word': { borderBottom: '2px solid var(--warning)' },
  '.cm-conflict-gap': { boxShadow: 'inset 0 2px var(--warning)' },
  '.cm-conflict-resolved': { boxShadow: 'inset 3px 0 var(--success)' },
});
