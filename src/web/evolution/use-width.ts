import { useCallback, useState } from 'react';

/** Width in prerendered pages, which nothing measures: what a chart has on a screen of 1,280 px. */
const PRERENDERED_WIDTH = 1_068;

/** Width of an element in pixels, 0 before it is measured; to be set as its `ref`. */
export function useWidth(): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(() => (typeof document === 'undefined' ? PRERENDERED_WIDTH : 0));
  const measure = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    // Before the first picture, so that nothing below moves.
    setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [measure, width];
}
