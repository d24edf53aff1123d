import { EditorView } from '@codemirror/view';
import type { Workspace } from '../use-workspace.ts';
import { offsetOf } from './line-offsets.ts';

/** Moves the cursor and the focus to a place in the text. */
export function goToFinding({ view }: Workspace, { line, column }: { line: number; column?: number }): void {
  const editor = view.current;
  if (!editor) return;
  const at = offsetOf(editor.state.doc, line, column ?? 1);
  editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  editor.focus();
}
