import { useEffect, useEffectEvent } from 'react';
import { isSingleKey } from '../parts/single-keys.ts';

/** Listens for keys without Ctrl or ⌘ outside of text fields; a key without an action stays with the page. */
export function useErrorKeys(actionsFor: (event: KeyboardEvent) => Record<string, () => unknown>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isSingleKey(event)) return;
    const action = actionsFor(event)[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
