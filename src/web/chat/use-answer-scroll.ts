import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { ChatEntry } from './conversation.ts';

/** Distance from the end that counts as being at the end. */
const BOTTOM_THRESHOLD_PX = 48;
/** A question up to this height stays visible above the start of its answer. */
const MAX_QUESTION_PX = 120;
const MARGIN_PX = 8;

/**
 * Position of the list: at its end, at the start of the newest answer, or where the reader has scrolled. Older messages that are
 * prepended do not move it. Returns a function for a question that is sent: it scrolls to the end, and to the start of the
 * answer once that arrives.
 */
export function useAnswerScroll(list: RefObject<HTMLElement | null>, entries: ChatEntry[]): () => void {
  const mode = useRef<'end' | 'answer' | 'reader'>('end');
  const smooth = useRef(false);
  const awaitsAnswer = useRef(false);
  const height = useRef(0);
  const shownFirst = useRef<string | undefined>(undefined);
  const firstId = entries[0]?.id;
  const last = entries.at(-1);
  const hasAnswer = last?.role === 'assistant';

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const follow = () => {
      if (mode.current === 'end') scrollTo(element, element.scrollHeight, smooth.current);
      if (mode.current === 'answer') scrollTo(element, answerTop(element), false);
      height.current = element.scrollHeight;
    };
    let lastTop = element.scrollTop;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const isAtEnd = scrollHeight - scrollTop - clientHeight < BOTTOM_THRESHOLD_PX;
      // A smooth scroll passes places that are not the end; only scrolling up detaches.
      if (mode.current === 'end' && !isAtEnd && scrollTop < lastTop) mode.current = 'reader';
      else if (mode.current === 'reader' && isAtEnd) mode.current = 'end';
      lastTop = scrollTop;
      height.current = scrollHeight;
    };
    const takeOver = () => {
      mode.current = 'reader';
    };
    // Markdown, fonts and streamed text change the height after rendering.
    const resizeObserver = new ResizeObserver(follow);
    for (const child of element.children) resizeObserver.observe(child);
    element.addEventListener('scroll', onScroll, { passive: true });
    const inputs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
    for (const name of inputs) element.addEventListener(name, takeOver, { passive: true });
    return () => {
      resizeObserver.disconnect();
      element.removeEventListener('scroll', onScroll);
      for (const name of inputs) element.removeEventListener(name, takeOver);
    };
  }, [list]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    if (awaitsAnswer.current && hasAnswer) {
      awaitsAnswer.current = false;
      if (mode.current === 'end') mode.current = 'answer';
    }
    if (shownFirst.current !== undefined && shownFirst.current !== firstId && mode.current === 'reader') {
      element.scrollTop += element.scrollHeight - height.current;
    }
    shownFirst.current = firstId;
    height.current = element.scrollHeight;
  }, [list, firstId, hasAnswer]);

  return () => {
    mode.current = 'end';
    smooth.current = true;
    awaitsAnswer.current = true;
  };
}

/** Offset of the newest answer, with its question where that is short. */
function answerTop(element: HTMLElement): number {
  const answer = element.querySelector('ol')?.lastElementChild as HTMLElement | null | undefined;
  if (!answer) return element.scrollHeight;
  const question = answer.previousElementSibling as HTMLElement | null;
  const start = question && question.offsetHeight <= MAX_QUESTION_PX ? question : answer;
  return (
    element.scrollTop + start.getBoundingClientRect().top - element.getBoundingClientRect().top - MARGIN_PX
  );
}

function scrollTo(element: HTMLElement, top: number, smoothly: boolean): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollTo({ top, behavior: smoothly && !still ? 'smooth' : 'auto' });
}
