import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Entry } from './conversation.ts';

/** So close to the end a reader counts as being there. */
const NEAR_PX = 48;

/**
 * Keeps the reader's place: who is at the bottom stays there as messages come, smoothly; who reads further up is
 * never moved, and sees the same lines when older messages are put in front of them.
 */
export function useScroll(list: RefObject<HTMLElement | null>, entries: Entry[]): () => void {
  const atEnd = useRef(true);
  const first = useRef<{ id: string | undefined; height: number }>({ id: undefined, height: 0 });
  const firstId = entries[0]?.id;
  const last = entries.at(-1);
  const newest = last ? `${last.id} ${last.content.length}` : '';

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const note = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    };
    element.addEventListener('scroll', note, { passive: true });
    // Markdown and fonts arrive after the text: whoever is at the end stays there as it grows.
    const grown = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    for (const child of element.children) grown.observe(child);
    return () => {
      element.removeEventListener('scroll', note);
      grown.disconnect();
    };
  }, [list]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const before = first.current;
    if (before.id === undefined) element.scrollTop = element.scrollHeight;
    else if (before.id !== firstId && !atEnd.current)
      element.scrollTop += element.scrollHeight - before.height;
    first.current = { id: firstId, height: element.scrollHeight };
  }, [list, firstId]);

  useEffect(() => {
    const element = list.current;
    if (newest !== '' && element && atEnd.current) toEnd(element);
  }, [list, newest]);

  return () => {
    atEnd.current = true;
  };
}

function toEnd(element: HTMLElement): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollTo({ top: element.scrollHeight, behavior: still ? 'auto' : 'smooth' });
}
