import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { loadCodeLanguage } from '../parts/code-languages.ts';
import { languageCompartment } from './editor-state.ts';

interface CodeEditorProps {
  path: string;
  /** Document to display; read when `path` or `version` changes. */
  state: () => EditorState;
  version: number;
  /** Receives the editor view. */
  view: RefObject<EditorView | null>;
  onChange: (path: string, state: EditorState) => void;
}

/** Editor of one document; each document retains its history and selection. */
export function CodeEditor({ path, state, version, view, onChange }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const current = useEffectEvent(state);
  const changed = useEffectEvent(onChange);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` says that another document took this path.
  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: current(),
      dispatchTransactions: (transactions, updated) => {
        updated.update(transactions);
        changed(path, updated.state);
      },
    });
    view.current = editor;
    const { head } = editor.state.selection.main;
    if (head > 0) editor.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'center' }) });
    let shown = true;
    loadCodeLanguage(path)?.then(
      (language) => shown && editor.dispatch({ effects: languageCompartment.reconfigure(language) }),
      // A file whose language fails to load is plain text.
      () => {},
    );
    return () => {
      shown = false;
      view.current = null;
      editor.destroy();
    };
  }, [path, version, view]);

  return <div ref={place} className="h-full min-h-0" />;
}
