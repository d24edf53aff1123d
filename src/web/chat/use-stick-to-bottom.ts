import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { ChatEntry } from './conversation.ts';

/** So close to the end a reader counts as being there. */
const BOTTOM_THRESHOLD_PX = 48;

/**
 * Keeps the reader's place: who is at the bottom stays there as messages come; who reads further up is never moved,
 * and sees the same lines when older messages are put in front of them. Returns what to call when the reader asks:
 * then the list goes to its end, smoothly from now on, since there is something to follow.
 */
export function useStickToBottom(list: RefObject<HTMLElement | null>, entries: ChatEntry[]): () => void {
  const atEnd = useRef(true);
  const smooth = useRef(false);
  const height = useRef(0);
  const shownFirst = useRef<string | undefined>(undefined);
  const firstId = entries[0]?.id;

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    let lastTop = element.scrollTop;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      // On its way down the list passes through places that are not the end; only upwards goes a reader.
      if (scrollHeight - scrollTop - clientHeight < BOTTOM_THRESHOLD_PX) atEnd.current = true;
      else if (scrollTop < lastTop) atEnd.current = false;
      lastTop = scrollTop;
      height.current = scrollHeight;
    };
    // Markdown and fonts arrive after the text, and answers line by line.
    const resizeObserver = new ResizeObserver(() => {
      if (atEnd.current) scrollToEnd(element, smooth.current);
      height.current = element.scrollHeight;
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    for (const child of element.children) resizeObserver.observe(child);
    return () => {
      element.removeEventListener('scroll', onScroll);
      resizeObserver.disconnect();
    };
  }, [list]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    if (shownFirst.current !== undefined && shownFirst.current !== firstId && !atEnd.current) {
      element.scrollTop += element.scrollHeight - height.current;
    }
    shownFirst.current = firstId;
    height.current = element.scrollHeight;
  }, [list, firstId]);

  return () => {
    atEnd.current = true;
    smooth.current = true;
  };
}

function scrollToEnd(element: HTMLElement, smoothly: boolean): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollTo({ top: element.scrollHeight, behavior: smoothly && !still ? 'smooth' : 'auto' });
}
