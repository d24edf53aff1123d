import { presentableDiff } from '@codemirror/merge';
import { EditorState, type Text } from '@codemirror/state';
import { Decoration, EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { loadCodeLanguage } from '../../parts/code-languages.ts';
import { baseExtensions, languageCompartment } from '../editor-state.ts';
import { conflictTheme } from './conflict-ranges.ts';
import type { Side, TextConflict } from './merge-texts.ts';

interface VersionPaneProps {
  path: string;
  /** Accessible name. */
  label: string;
  side: Side;
  text: string;
  conflicts: readonly TextConflict[];
  /** Conflict that is in view. */
  at: number;
}

/** A version of a file with its conflicts, which can only be read; words that differ from the ancestor are marked. */
export function VersionPane({ path, label, side, text, conflicts, at }: VersionPaneProps) {
  const place = useRef<HTMLDivElement>(null);
  const pane = useRef<EditorView | null>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: place.current!,
      doc: text,
      extensions: [
        lineNumbers(),
        EditorView.lineWrapping,
        EditorState.readOnly.of(true),
        baseExtensions('lf', label),
        languageCompartment.of([]),
        conflictTheme,
        EditorView.decorations.of((shown) => decorate(shown.state.doc, side, conflicts)),
      ],
    });
    pane.current = view;
    let isShown = true;
    loadCodeLanguage(path)?.then(
      (language) => isShown && view.dispatch({ effects: languageCompartment.reconfigure(language) }),
      // A file whose language fails to load is plain text.
      () => {},
    );
    return () => {
      isShown = false;
      view.destroy();
    };
  }, [path, label, side, text, conflicts]);

  const line = conflicts[at]?.lines[side] ?? 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version makes another view.
  useEffect(() => {
    const view = pane.current!;
    const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
    view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }, [line, side, text]);
  return <div ref={place} className="min-h-0 min-w-0 flex-1" />;
}

function decorate(doc: Text, side: Side, conflicts: readonly TextConflict[]) {
  const marks = conflicts.flatMap((conflict) => {
    const text = conflict[side];
    const start = doc.line(Math.min(conflict.lines[side], doc.lines));
    const last = Math.min(doc.lines, start.number + Math.max(1, text.trimEnd().split('\n').length) - 1);
    const lines = Array.from({ length: last - start.number + 1 }, (_, offset) =>
      LINE.range(doc.line(start.number + offset).from),
    );
    if (text === '') return [GAP.range(start.from)];
    const changes = side === 'base' ? [] : presentableDiff(conflict.base, text);
    const words = changes
      .map(({ fromB, toB }) => [start.from + fromB, Math.min(start.from + toB, doc.length)] as const)
      .filter(([from, to]) => to > from);
    return [...lines, ...words.map(([from, to]) => WORD.range(from, to))];
  });
  return Decoration.set(marks, true);
}

const LINE = Decoration.line({ class: 'cm-conflict' });
/** Line before which a side has no text. */
const GAP = Decoration.line({ class: 'cm-conflict-gap' });
const WORD = Decoration.mark({ class: 'cm-conflict-word' });
