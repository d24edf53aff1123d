import { useState } from 'react';

const KEY = 'editor-theme';

/** The editor is dark unless the reader wants it to follow the page; kept in this browser. */
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
