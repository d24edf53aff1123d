import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type RefObject, useMemo, useRef, useState } from 'react';

/** Paths of the files in the left and the right pane; without a right one, the editor is not split. */
type Panes = readonly [left: string | null, right: string | null];

/** Panes of the editor. */
export type EditorPanes = ReturnType<typeof useEditorPanes>;

/** One or two panes beside each other, of which one has the focus. */
export function useEditorPanes(documents: RefObject<Map<string, EditorState>>) {
  const [{ panes, focused }, setLayout] = useState<{ panes: Panes; focused: 0 | 1 }>({
    panes: [null, null],
    focused: 0,
  });
  const views = useRef<(EditorView | null)[]>([null, null]);
  const focusedNow = useRef<0 | 1>(0);
  focusedNow.current = focused;
  const view = useMemo(
    () => ({
      /** View of the pane with the focus. */
      get current(): EditorView | null {
        return views.current[focusedNow.current] ?? null;
      },
    }),
    [],
  );
  return {
    panes,
    focused,
    views,
    view,
    /** Path of the file in the pane with the focus. */
    active: panes[focused],
    setActive: (path: string | null) =>
      setLayout((now) => ({ ...now, panes: now.panes.with(now.focused, path) as unknown as Panes })),
    focusPane(pane: 0 | 1) {
      const state = views.current[pane]?.state;
      const path = panes[pane];
      // Of a file in both panes, the one with the focus is the document.
      if (state && path !== null && documents.current.has(path)) documents.current.set(path, state);
      if (pane !== focused) setLayout((now) => ({ ...now, focused: pane }));
    },
    /** Shows the file in a second pane, or closes the pane without the focus. */
    toggleSplit: () =>
      setLayout(({ panes: now, focused: pane }) =>
        now[1] === null ? { panes: [now[0], now[0]], focused: 1 } : { panes: [now[pane], null], focused: 0 },
      ),
    /** Gives the shown files other paths. */
    rename: (renamed: (path: string) => string) =>
      setLayout((now) => ({
        ...now,
        panes: now.panes.map((path) => path && renamed(path)) as unknown as Panes,
      })),
    /** Shows another file, or none, where a closed one was. */
    leave: (path: string, next: string | null) =>
      setLayout((now) => {
        const [left, right] = now.panes.map((one) => (one === path ? next : one)) as unknown as Panes;
        // A second pane that would show the same as the first is closed.
        const isClosed = now.panes[1] === path && (right === null || right === left);
        return { panes: [left, isClosed ? null : right], focused: isClosed ? 0 : now.focused };
      }),
  };
}
