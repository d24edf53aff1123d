import { useSyncExternalStore } from 'react';

const KEY = 'single_keys';
const CHANGED = 'single-keys-changed';

/** Elements in which keys are text, or belong to the element. */
const TYPING =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], .cm-editor';

/** True unless the reader has turned keys without Ctrl or ⌘ off in this browser. */
function singleKeysEnabled(): boolean {
  return localStorage.getItem(KEY) !== 'off';
}

/** True for a key without a modifier, outside text fields, that may be taken as a shortcut. */
export function isSingleKey(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.isComposing || event.metaKey || event.ctrlKey || event.altKey)
    return false;
  return singleKeysEnabled() && !target.closest?.(TYPING);
}

/** The choice and its setter, the same in all components of the page. */
export function useSingleKeys(): [boolean, (enabled: boolean) => void] {
  const enabled = useSyncExternalStore(subscribe, singleKeysEnabled);
  return [
    enabled,
    (next) => {
      if (next) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, 'off');
      dispatchEvent(new Event(CHANGED));
    },
  ];
}

function subscribe(changed: () => void): () => void {
  const events = ['storage', CHANGED];
  for (const name of events) addEventListener(name, changed);
  return () => {
    for (const name of events) removeEventListener(name, changed);
  };
}
