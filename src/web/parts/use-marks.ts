import { type KeyboardEvent, useState } from 'react';

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => Math.min(count - 1, index + 1),
  ArrowDown: (index, count) => Math.min(count - 1, index + 1),
  ArrowLeft: (index) => Math.max(0, index - 1),
  ArrowUp: (index) => Math.max(0, index - 1),
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/**
 * Makes the marks of a chart one stop of the keyboard: arrows, Home and End move between them, Enter opens one. The mark
 * under the pointer or the keyboard is `active`.
 */
export function useMarks(count: number, onOpen: (index: number) => void) {
  const [active, setActive] = useState<number | null>(null);
  return {
    active,
    setActive,
    chartProps: {
      tabIndex: 0,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Enter' && active !== null) return onOpen(active);
        const step = STEPS[event.key];
        if (!step || count === 0) return;
        event.preventDefault();
        setActive(active === null ? (event.key === 'End' ? count - 1 : 0) : step(active, count));
      },
      onBlur: () => setActive(null),
      onPointerLeave: () => setActive(null),
    },
  };
}
