import { type RefObject, useEffect, useEffectEvent } from 'react';
import { isSingleKey } from '../parts/single-keys.ts';

interface ResultKeys {
  input: RefObject<HTMLInputElement | null>;
  count: number;
  selected: number | null;
  onSelect: (index: number | null) => void;
}

/** Keys of the page: `j` and `k` go through the results, `o` opens the selected one, `/` goes to the query, Esc deselects. */
export function useResultKeys({ input, count, selected, onSelect }: ResultKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isSingleKey(event)) return;
    if (event.key === '/') {
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    } else if (event.key === 'Escape' && selected !== null) onSelect(null);
    else if (event.key === 'o' && selected !== null) linkOf(selected)?.click();
    else if (event.key === 'j' || event.key === 'k') {
      const next = selected === null ? 0 : selected + (event.key === 'j' ? 1 : -1);
      if (next < 0 || next >= count) return;
      event.preventDefault();
      // The focus selects.
      linkOf(next)?.focus();
      onSelect(next);
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function linkOf(index: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-result="${index}"] [data-result-link]`);
}
