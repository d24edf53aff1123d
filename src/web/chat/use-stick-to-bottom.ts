import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { ChatEntry } from './conversation.ts';

/** Distance from the end that counts as being at the end. */
const BOTTOM_THRESHOLD_PX = 48;

/**
 * Keeps the list at the bottom while messages arrive, unless the reader has scrolled up; keeps the position when
 * older messages are prepended. Returns a function that scrolls to the end smoothly from then on.
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
      // A smooth scroll passes places that are not the end; only scrolling up detaches.
      if (scrollHeight - scrollTop - clientHeight < BOTTOM_THRESHOLD_PX) atEnd.current = true;
      else if (scrollTop < lastTop) atEnd.current = false;
      lastTop = scrollTop;
      height.current = scrollHeight;
    };
    // Markdown, fonts and streamed text change the height after rendering.
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
