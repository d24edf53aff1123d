import { useSyncExternalStore } from 'react';
import { getTheme } from '../theme.ts';

export const FONT_SIZES = [11, 12, 13, 14, 16, 18, 20] as const;
export const TAB_SIZES = [2, 3, 4, 8] as const;
const KEY_BINDINGS = ['default', 'vim', 'emacs'] as const;

/** Settings of the editor in this browser. */
export interface EditorSettings {
  /** `dark` keeps the editor dark; `page` follows the theme of the page. */
  theme: 'dark' | 'page';
  /** Pixels. */
  fontSize: number;
  tabSize: number;
  wrap: boolean;
  keys: (typeof KEY_BINDINGS)[number];
  /** Names the last change of every line beside it. */
  blame: boolean;
}

const KEY = 'editor-settings';
const CHANGED = 'editor-settings-changed';

let cached: { stored: string | null; settings: EditorSettings } | null = null;

/** Reads the settings; the editor is dark until the reader chooses a theme. */
function readEditorSettings(): EditorSettings {
  const stored = localStorage.getItem(KEY);
  if (cached?.stored !== stored || cached === null) cached = { stored, settings: parseSettings(stored) };
  return cached.settings;
}

function parseSettings(stored: string | null): EditorSettings {
  const value = parseObject(stored);
  const choose = <T>(choices: readonly T[], chosen: unknown, other: T): T =>
    choices.includes(chosen as T) ? (chosen as T) : other;
  return {
    theme: choose(['dark', 'page'] as const, value.theme, getTheme() === 'light' ? 'dark' : 'page'),
    fontSize: choose<number>(FONT_SIZES, value.fontSize, 13),
    tabSize: choose<number>(TAB_SIZES, value.tabSize, 4),
    wrap: value.wrap === true,
    keys: choose(KEY_BINDINGS, value.keys, 'default'),
    blame: value.blame === true,
  };
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    return (JSON.parse(text ?? '{}') as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

/** Settings of the editor and their setter; other tabs of the browser follow. */
export function useEditorSettings() {
  const settings = useSyncExternalStore(subscribe, readEditorSettings);
  return {
    settings,
    update(change: Partial<EditorSettings>) {
      localStorage.setItem(KEY, JSON.stringify({ ...readEditorSettings(), ...change }));
      dispatchEvent(new Event(CHANGED));
    },
  };
}

function subscribe(changed: () => void): () => void {
  for (const name of ['storage', CHANGED]) addEventListener(name, changed);
  return () => {
    for (const name of ['storage', CHANGED]) removeEventListener(name, changed);
  };
}
