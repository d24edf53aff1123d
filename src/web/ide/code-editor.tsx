import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { languageCompartment } from './editor-state.ts';
import { loadLanguage } from './languages.ts';

interface CodeEditorProps {
  path: string;
  /** The document to show; read when `path` or `version` changes. */
  state: () => EditorState;
  version: number;
  /** The editor itself, for marks and jumps. */
  view: RefObject<EditorView | null>;
  onChange: (path: string, state: EditorState) => void;
}

/** The editor of one document at a time; switching keeps each one's history and selection. */
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
    let shown = true;
    loadLanguage(path)?.then(
      (language) => shown && editor.dispatch({ effects: languageCompartment.reconfigure(language) }),
      // Without its language a text is plain, and can be edited all the same.
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
