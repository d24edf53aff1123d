import type { EditorState } from '@codemirror/state';
import { useSyncExternalStore } from 'react';

/** Position of the cursor: line and column from 1, selected characters, number of cursors. */
interface CursorPosition {
  line: number;
  column: number;
  selected: number;
  cursors: number;
  /** Lines of the main selection. */
  from: number;
  to: number;
}

/** Position that changes with every key, outside of React's state: only what shows it is rendered again. */
interface CursorStore {
  get(): CursorPosition | null;
  set(state: EditorState | null): void;
  subscribe(changed: () => void): () => void;
}

/** Creates the store. */
export function createCursorStore(): CursorStore {
  const listeners = new Set<() => void>();
  let position: CursorPosition | null = null;
  return {
    get: () => position,
    set(state) {
      const next = state && readPosition(state);
      if (isEqual(position, next)) return;
      position = next;
      for (const listener of listeners) listener();
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Position of the cursor in the editor that has the focus; null without one. */
export function useCursor(store: CursorStore): CursorPosition | null {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Line of the cursor, 0 without one: what shows only this is not rendered again for every letter. */
export function useCursorLine(store: CursorStore): number {
  return useSyncExternalStore(store.subscribe, () => store.get()?.line ?? 0);
}

function readPosition({ doc, selection }: EditorState): CursorPosition {
  const { main, ranges } = selection;
  const line = doc.lineAt(main.head);
  return {
    line: line.number,
    column: main.head - line.from + 1,
    selected: ranges.reduce((sum, { from, to }) => sum + to - from, 0),
    cursors: ranges.length,
    from: doc.lineAt(main.from).number,
    to: doc.lineAt(main.to).number,
  };
}

function isEqual(one: CursorPosition | null, other: CursorPosition | null): boolean {
  if (one === null || other === null) return one === other;
  return Object.entries(one).every(([key, value]) => other[key as keyof CursorPosition] === value);
}
