import type { EditorState, TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createCursorStore } from './cursor-store.ts';
import type { DraftStore } from './drafts.ts';
import { type EditorTab, type LineSpan, movedPath } from './editor-tab.ts';
import { detectLineEnding, type LineEnding, serializeDocument } from './line-endings.ts';
import { openDocument, type ShownFile } from './open-document.ts';
import { editTo, textSaved } from './saved-text.ts';
import { useDocumentViews } from './use-document-views.ts';
import { useEditorPhrases } from './use-editor-phrases.ts';

const DRAFT_DELAY_MS = 500;

interface ShowOptions {
  /** Transforms the text; null leaves it unchanged. */
  edit?: (text: string) => string | null;
  /** The next file that is only looked at takes the tab. */
  isPreview?: boolean;
}

/** Open files and their documents in one or two panes; edits are stored as drafts after half a second. */
export function useEditorTabs(drafts: DraftStore) {
  const { tabs, isOpen, patch, tabOf, add, remove, rename } = useTabList();
  const phrases = useEditorPhrases();
  const { documents, layout, dispatchToViews, mirror, isMirrored } = useDocumentViews();
  const cursor = useMemo(createCursorStore, []);
  const delay = useDraftTimers();

  /** Opens or replaces a file's tab. Returns true when `edit` changed the text. */
  const show = (
    file: ShownFile,
    base: string | null,
    { edit = () => null, isPreview = false }: ShowOptions = {},
  ) => {
    const { state, tab } = openDocument(file, { base, edit, drafts, phrases });
    documents.current.set(tab.path, state);
    add(tab, isPreview);
    return tab.patched;
  };

  const markChanged = (tab: EditorTab, state: EditorState, ends: LineEnding) => {
    const { path, base } = tab;
    const dirty = tab.saved === null || ends !== tab.savedEnds || !state.doc.eq(tab.saved);
    if (dirty !== tab.dirty || ends !== tab.ends || (dirty && tab.isPreview))
      patch(path, { dirty, ends, isPreview: tab.isPreview && !dirty });
    if (dirty) delay(path, () => drafts.save(path, { content: serializeDocument(state.doc, ends), base }));
    else discardDraft(path);
  };

  const change = (path: string, state: EditorState) => {
    const before = documents.current.get(path);
    documents.current.set(path, state);
    if (path === layout.active) cursor.set(state);
    const tab = tabOf(path);
    if (tab && before?.doc !== state.doc) markChanged(tab, state, tab.ends);
  };

  /** Removes the draft of a saved or reverted file. */
  const discardDraft = (path: string) => {
    delay(path, null);
    drafts.remove(path);
  };

  /** Changes a document, shown or not. */
  const dispatch = (path: string, spec: TransactionSpec) => {
    const hidden = dispatchToViews(path, spec);
    if (hidden) change(path, hidden);
  };

  const documentOf = (path: string) => documents.current.get(path);
  const actions = { patch, dispatch, discardDraft, documentOf, tabOf, drafts };
  return {
    tabs,
    tab: tabOf(layout.active),
    isOpen,
    cursor,
    ...layout,
    ...actions,
    ...savedActions(actions),
    show,
    /** Closes tabs; their unsaved changes are lost. */
    close(...paths: string[]) {
      for (const path of paths) {
        documents.current.delete(path);
        discardDraft(path);
      }
      const next = remove(paths);
      for (const path of paths) layout.leave(path, next);
    },
    change,
    mirror,
    isMirrored,
    /** Opens a tab without a document: an image, or a file that is read in pieces. */
    showWithoutText: (path: string, readOnly: 'image' | 'large', isPreview: boolean) =>
      show({ path, content: '', read_only: readOnly }, '', { isPreview }),
    /** Gives files below a path another one; their texts, edits and histories stay. */
    movePaths(from: string, to: string) {
      for (const { path, dirty, base, ends } of tabs) {
        const state = documents.current.get(path);
        const next = movedPath(path, from, to);
        if (!state || next === path) continue;
        documents.current.delete(path);
        documents.current.set(next, state);
        const draft = drafts.read(path);
        discardDraft(path);
        if (dirty) drafts.save(next, draft ?? { content: serializeDocument(state.doc, ends), base });
      }
      rename((path) => movedPath(path, from, to));
      layout.rename((path) => movedPath(path, from, to));
    },
    setEnds(path: string, ends: LineEnding) {
      const [tab, state] = [tabOf(path), documentOf(path)];
      if (tab && state) markChanged(tab, state, ends);
    },
  };
}

interface TabActions {
  patch: (path: string, change: Partial<EditorTab> | ((tab: EditorTab) => Partial<EditorTab>)) => void;
  dispatch: (path: string, spec: TransactionSpec) => void;
  discardDraft: (path: string) => void;
  documentOf: (path: string) => EditorState | undefined;
  tabOf: (path: string | null) => EditorTab | null;
  drafts: DraftStore;
}

function savedActions({ patch, dispatch, discardDraft, documentOf, tabOf, drafts }: TabActions) {
  return {
    /** Keeps the tab open when another file is looked at. */
    pin: (path: string) => patch(path, { isPreview: false }),
    /** Notes that this text was saved with a commit. Edits made meanwhile stay unsaved. */
    markSaved(path: string, doc: EditorState['doc'], base: string) {
      discardDraft(path);
      const state = documentOf(path);
      if (!state) return;
      dispatch(path, { effects: textSaved(doc, state.doc) });
      patch(path, ({ ends }) => {
        const dirty = !state.doc.eq(doc);
        return { base, saved: doc, savedEnds: ends, dirty, recovered: false, patched: false };
      });
    },
    textOf({ path, ends }: EditorTab) {
      const state = documentOf(path);
      return state ? serializeDocument(state.doc, ends) : '';
    },
    /**
     * Makes a version of the branch the saved text of a file, and `text` the text of the editor by one edit, so that undo
     * leads back. `saved` is null for a file that is not on the branch.
     */
    rebase(path: string, { text, saved, base }: { text: string; saved: string | null; base: string | null }) {
      const [tab, state] = [tabOf(path), documentOf(path)];
      if (!tab || !state) return;
      dispatch(path, editTo(state, text));
      const { doc } = documentOf(path)!;
      const savedText = saved === null ? null : state.toText(saved);
      if (savedText) dispatch(path, { effects: textSaved(savedText, doc) });
      const endsOf = (content: string) => (tab.ends === 'mixed' ? 'mixed' : detectLineEnding(content));
      const [ends, savedEnds] = [endsOf(text), endsOf(saved ?? text)];
      const dirty = savedText === null || ends !== savedEnds || !doc.eq(savedText);
      patch(path, { base, saved: savedText, ends, savedEnds, dirty, recovered: false, patched: false });
      discardDraft(path);
      if (dirty) drafts.save(path, { content: serializeDocument(doc, ends), base });
    },
    /** Selects lines of a document and scrolls to them. */
    selectLines(path: string, lines: LineSpan) {
      const state = documentOf(path);
      if (!state) return;
      const line = (number: number) => state.doc.line(Math.min(Math.max(1, number), state.doc.lines));
      const { from } = line(lines.from);
      const anchor = lines.to > lines.from ? line(lines.to).to : from;
      const effects = EditorView.scrollIntoView(from, { y: 'center' });
      dispatch(path, { selection: { anchor, head: from }, effects });
    },
  };
}

/** Tabs in their order. */
function useTabList() {
  const [tabs, setTabs] = useState<EditorTab[]>([]);
  const latest = useRef(tabs);
  latest.current = tabs;
  return {
    tabs,
    /** True for a file that is open now, also when asked by what began earlier. */
    isOpen: (path: string) => latest.current.some((tab) => tab.path === path),
    tabOf: (path: string | null) => tabs.find((one) => one.path === path) ?? null,
    patch: (path: string, change: Partial<EditorTab> | ((tab: EditorTab) => Partial<EditorTab>)) =>
      setTabs((open) =>
        open.map((tab) => {
          if (tab.path !== path) return tab;
          return { ...tab, ...(typeof change === 'function' ? change(tab) : change) };
        }),
      ),
    /** Adds a tab, or replaces that of the same file or of one that was only looked at. */
    add(tab: Omit<EditorTab, 'version' | 'isPreview'>, isPreview: boolean) {
      // Known before the next render, so that a file which is read at the same moment does not replace it.
      const others = latest.current.filter(({ path }) => path !== tab.path);
      latest.current = [...others, { ...tab, version: 0, isPreview }];
      setTabs((open) => {
        const at = open.findIndex((one) => one.path === tab.path);
        const before = open[at];
        if (before) return open.with(at, { ...before, ...tab, version: before.version + 1 });
        const added = { ...tab, version: 1, isPreview: isPreview && !tab.dirty };
        const preview = isPreview ? open.findIndex((one) => one.isPreview) : -1;
        return preview === -1 ? [...open, added] : open.with(preview, added);
      });
    },
    rename: (renamed: (path: string) => string) =>
      setTabs((open) => open.map((tab) => ({ ...tab, path: renamed(tab.path) }))),
    /** Removes tabs; returns the path of the one that is shown in their place. */
    remove(paths: readonly string[]): string | null {
      const at = tabs.findIndex((tab) => paths.includes(tab.path));
      const remaining = tabs.filter((tab) => !paths.includes(tab.path));
      setTabs((open) => open.filter((tab) => !paths.includes(tab.path)));
      return (remaining[at] ?? remaining.at(-1))?.path ?? null;
    },
  };
}

interface DraftTimer {
  timer: ReturnType<typeof setTimeout>;
  store: () => void;
}

/** Delays the storing of each draft until its text rests, or the page is closed or reloaded. */
function useDraftTimers() {
  const timers = useRef(new Map<string, DraftTimer>());
  useEffect(() => {
    const waiting = timers.current;
    const storeAll = () => {
      for (const { store } of waiting.values()) store();
    };
    addEventListener('pagehide', storeAll);
    return () => {
      removeEventListener('pagehide', storeAll);
      for (const { timer } of waiting.values()) clearTimeout(timer);
    };
  }, []);
  return (path: string, store: (() => void) | null) => {
    clearTimeout(timers.current.get(path)?.timer);
    timers.current.delete(path);
    if (!store) return;
    const timer = setTimeout(() => {
      timers.current.delete(path);
      store();
    }, DRAFT_DELAY_MS);
    timers.current.set(path, { timer, store });
  };
}
