import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import type { FileContent } from '#contract/ide.ts';
import type { DraftStore } from './drafts.ts';
import { createEditorState } from './editor-state.ts';
import type { EditorTab, ReadOnlyReason } from './editor-tab.ts';
import { detectLineEnding, serializeDocument } from './line-endings.ts';
import { useEditorPhrases } from './use-editor-phrases.ts';

const DRAFT_DELAY_MS = 500;

/** Open files and their documents; edits are stored as drafts after half a second. */
export function useEditorTabs(drafts: DraftStore) {
  const [tabs, setTabs] = useState<EditorTab[]>([]);
  const [active, setActive] = useState<string | null>(null);
  const phrases = useEditorPhrases();
  const documents = useRef(new Map<string, EditorState>());
  const view = useRef<EditorView | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const patch = (path: string, change: Partial<EditorTab>) =>
    setTabs((open) => open.map((tab) => (tab.path === path ? { ...tab, ...change } : tab)));

  /**
   * Opens or replaces a file's tab; a draft takes precedence. `edit` transforms the text, null leaves it
   * unchanged. Returns true when the text was edited.
   */
  const show = (
    file: Pick<FileContent, 'path' | 'content'> & { read_only: ReadOnlyReason | null },
    base: string | null,
    edit: (text: string) => string | null = () => null,
  ): boolean => {
    const { path, content, read_only: readOnly } = file;
    const ends = detectLineEnding(content);
    const make = (text: string) =>
      createEditorState({ content: text, ends, readOnly: readOnly !== null, label: path, phrases });
    const original = make(content);
    const draft = readOnly === null ? drafts.read(path) : null;
    const recovered = draft !== null && draft.content !== content;
    const text = recovered ? draft.content : content;
    const edited = readOnly === null ? edit(text) : null;
    if (edited !== null) drafts.save(path, { content: edited, base: recovered ? draft.base : base });
    documents.current.set(path, text === content && edited === null ? original : make(edited ?? text));
    const tab: Omit<EditorTab, 'version'> = {
      path,
      base: recovered ? draft.base : base,
      saved: base === null ? null : original.doc,
      ends,
      readOnly,
      dirty: recovered || edited !== null || base === null,
      recovered,
      patched: edited !== null,
      analysis: null,
    };
    setTabs((open) => {
      const before = open.find((one) => one.path === path);
      if (!before) return [...open, { ...tab, version: 1 }];
      return open.map((one) => (one === before ? { ...tab, version: before.version + 1 } : one));
    });
    return edited !== null;
  };

  const close = (path: string) => {
    clearTimeout(timer.current);
    documents.current.delete(path);
    drafts.remove(path);
    const at = tabs.findIndex((tab) => tab.path === path);
    const remaining = tabs.filter((tab) => tab.path !== path);
    setTabs((open) => open.filter((tab) => tab.path !== path));
    if (active === path) setActive((remaining[at] ?? remaining[at - 1])?.path ?? null);
  };

  const change = (path: string, state: EditorState) => {
    const before = documents.current.get(path);
    documents.current.set(path, state);
    const tab = tabs.find((one) => one.path === path);
    if (!tab || before?.doc === state.doc) return;
    const dirty = tab.saved === null || !state.doc.eq(tab.saved);
    if (dirty !== tab.dirty) patch(path, { dirty });
    clearTimeout(timer.current);
    if (!dirty) return drafts.remove(path);
    const keep = () => drafts.save(path, { content: serializeDocument(state.doc, tab.ends), base: tab.base });
    timer.current = setTimeout(keep, DRAFT_DELAY_MS);
  };

  /** Removes the draft of a saved or reverted file. */
  const discardDraft = (path: string) => {
    clearTimeout(timer.current);
    drafts.remove(path);
  };

  const documentOf = (path: string) => documents.current.get(path);
  const setCursor = (path: string, line: number) =>
    goToLine(path === active ? view.current : null, line) || moveCursor(documents.current, path, line);
  const textOf = ({ path, ends }: EditorTab) => serializeDocument(documentOf(path)!.doc, ends);
  const tab = tabs.find((one) => one.path === active) ?? null;
  return {
    tabs,
    tab,
    view,
    setActive,
    patch,
    show,
    close,
    change,
    discardDraft,
    documentOf,
    textOf,
    setCursor,
  };
}

/** Moves the cursor of a displayed document; false without one. */
function goToLine(editor: EditorView | null, line: number): boolean {
  if (!editor) return false;
  const { doc } = editor.state;
  const { from: anchor } = doc.line(Math.min(Math.max(1, line), doc.lines));
  editor.dispatch({ selection: { anchor }, scrollIntoView: true });
  return true;
}

/** Puts the cursor of a document that is not displayed yet on a line. */
function moveCursor(documents: Map<string, EditorState>, path: string, line: number): void {
  const state = documents.get(path);
  if (!state || line < 1) return;
  const { from } = state.doc.line(Math.min(line, state.doc.lines));
  documents.set(path, state.update({ selection: { anchor: from } }).state);
}
