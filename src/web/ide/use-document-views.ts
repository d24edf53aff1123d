import { Annotation, type EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type RefObject, useRef } from 'react';
import { type EditorPanes, useEditorPanes } from './use-editor-panes.ts';

/** Marks a change that the other pane made to the same document. */
const mirrored = Annotation.define<true>();

/** Documents by path, and the panes that show them. */
export function useDocumentViews() {
  const documents = useRef(new Map<string, EditorState>());
  const layout = useEditorPanes(documents);
  return { documents, layout, ...viewActions(documents, layout) };
}

function viewActions(documents: RefObject<Map<string, EditorState>>, { views, panes }: EditorPanes) {
  const viewsOf = (path: string) => views.current.filter((view, pane) => view && panes[pane] === path);
  return {
    /** Applies transactions of a view to the same document in the other pane. */
    mirror(view: EditorView, transactions: readonly Transaction[]) {
      const path = panes[views.current.indexOf(view)];
      const other = path ? viewsOf(path).find((one) => one !== view) : undefined;
      const annotations = [mirrored.of(true), Transaction.addToHistory.of(false)];
      for (const { docChanged, changes } of transactions) {
        if (docChanged) other?.dispatch({ changes, annotations });
      }
    },
    isMirrored: (transactions: readonly Transaction[]) =>
      transactions.some((one) => one.annotation(mirrored)),
    /** Changes a document through its views; returns the new state of one that is not shown, else null. */
    dispatchToViews(path: string, spec: TransactionSpec): EditorState | null {
      const shown = viewsOf(path);
      // Changes reach the other view by mirroring.
      for (const view of spec.changes ? shown.slice(0, 1) : shown) view!.dispatch(spec);
      const state = documents.current.get(path);
      return shown.length === 0 && state ? state.update(spec).state : null;
    },
  };
}
