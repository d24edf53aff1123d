import { useEffect, useEffectEvent } from 'react';
import { isSingleKey } from '../parts/single-keys.ts';

/** Actions of the inbox by key; those on an error get the one that has the focus. */
interface InboxKeys {
  /** Links of the shown errors, in order. */
  links: () => HTMLAnchorElement[];
  onSelect: (index: number) => void;
  onResolve: (index: number | null) => void;
  onSearch: () => void;
}

/** Keys of the inbox: `j` and `k` move, `x` selects, `e` resolves, `/` searches. Enter follows the focused link. */
export function useInboxKeys({ links, onSelect, onResolve, onSearch }: InboxKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (!isSingleKey(event)) return;
    const all = links();
    const row = target.closest?.('.row');
    const current = all.findIndex((link) => link === target || row?.contains(link));
    const actions: Record<string, () => void> = {
      j: () => all[Math.min(all.length - 1, current + 1)]?.focus(),
      k: () => all[Math.max(0, current - 1)]?.focus(),
      x: () => current >= 0 && onSelect(current),
      e: () => onResolve(current < 0 ? null : current),
      '/': onSearch,
    };
    const action = actions[event.key];
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
