import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '../i18n.ts';

const STORAGE_KEY = 'search.preview';
/** Share of the width that the right side takes, in percent. */
const SHARE = { min: 25, max: 70, initial: 45, step: 5 };

/** Two sides with a separator that the pointer and the arrow keys move; this browser remembers its place. */
export function SplitView({ left, right }: { left: ReactNode; right: ReactNode }) {
  const { t } = useTranslation('search');
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(readShare);
  const change = (next: number) => {
    const clamped = Math.min(SHARE.max, Math.max(SHARE.min, Math.round(next)));
    setShare(clamped);
    storeShare(clamped);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: SHARE.step, ArrowRight: -SHARE.step }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    change(share + step);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return;
    const { right: edge, width } = box.current.getBoundingClientRect();
    change(((edge - event.clientX) / width) * 100);
  };
  return (
    <div
      ref={box}
      className="grid min-w-0"
      style={{ gridTemplateColumns: `minmax(0, 1fr) 8px minmax(0, ${share}%)` }}
    >
      <div className="min-w-0">{left}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that takes the focus is a control; hr is none. */}
      <div
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('resize')}
        aria-valuenow={share}
        aria-valuemin={SHARE.min}
        aria-valuemax={SHARE.max}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        className="cursor-col-resize touch-none hover:bg-select focus-visible:-outline-offset-2"
      />
      <div className="sticky top-12 h-[calc(100vh-48px)] min-w-0">{right}</div>
    </div>
  );
}

function readShare(): number {
  try {
    const stored = Number(localStorage.getItem(STORAGE_KEY));
    return stored >= SHARE.min && stored <= SHARE.max ? stored : SHARE.initial;
  } catch {
    return SHARE.initial;
  }
}

function storeShare(share: number): void {
  try {
    localStorage.setItem(STORAGE_KEY, String(share));
  } catch {
    // Without storage the place lasts as long as the page.
  }
}
