import { useState } from 'react';

const KEY = 'editor-theme';

/** Editor theme: dark by default, or that of the page; stored in this browser. */
export function useEditorTheme() {
  const [dark, setDark] = useState(() => localStorage.getItem(KEY) !== 'follow');
  return {
    dark,
    toggle() {
      localStorage.setItem(KEY, dark ? 'follow' : 'dark');
      setDark(!dark);
    },
  };
}

export type EditorTheme = ReturnType<typeof useEditorTheme>;
