import { StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { loadCodeLanguage } from '../../parts/code-languages.ts';
import { aidsCompartment, createEditorState, languageCompartment } from '../editor-state.ts';
import { useEditorPhrases } from '../use-editor-phrases.ts';
import { type ConflictRange, conflictRanges, readRanges } from './conflict-ranges.ts';

interface ResultEditorProps {
  path: string;
  label: string;
  text: string;
  ranges: readonly ConflictRange[];
  /** Receives the editor view. */
  view: RefObject<EditorView | null>;
  onChange: (text: string, ranges: readonly ConflictRange[]) => void;
}

/** Editor of the text that is saved, with its conflicts marked. It keeps its own state once it is there. */
export function ResultEditor({ path, label, text, ranges, view, onChange }: ResultEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const changed = useEffectEvent(onChange);
  const phrases = useEditorPhrases();
  const start = useEffectEvent(() => ({ text, ranges, phrases }));
  useEffect(() => {
    const initial = start();
    const editor = new EditorView({
      parent: place.current!,
      state: createEditorState({
        content: initial.text,
        ends: 'lf',
        readOnly: false,
        label,
        phrases: initial.phrases,
      }),
      dispatchTransactions(transactions, updated) {
        updated.update(transactions);
        const isEdit = transactions.some(({ docChanged, effects }) => docChanged || effects.length > 0);
        if (isEdit && view.current) changed(updated.state.doc.toString(), readRanges(updated.state));
      },
    });
    editor.dispatch({ effects: StateEffect.appendConfig.of(conflictRanges(initial.ranges)) });
    view.current = editor;
    const [first] = initial.ranges;
    if (first) editor.dispatch({ effects: EditorView.scrollIntoView(first.from, { y: 'center' }) });
    editor.focus();
    let isShown = true;
    loadCodeLanguage(path)?.then(
      (language) => isShown && editor.dispatch({ effects: languageCompartment.reconfigure(language) }),
      // A file whose language fails to load is plain text.
      () => {},
    );
    import('../editing-aids.ts').then(
      ({ editingAids }) =>
        isShown && editor.dispatch({ effects: aidsCompartment.reconfigure(editingAids([])) }),
      // Without the script, the text can be edited.
      () => {},
    );
    return () => {
      isShown = false;
      view.current = null;
      editor.destroy();
    };
  }, [path, label, view]);
  return <div ref={place} className="h-full min-h-0" />;
}
