import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface PanelFrameProps {
  /** Name of the region. */
  label: string;
  title: ReactNode;
  aside?: ReactNode;
  /** Edge in the colour of the cause. */
  cause?: boolean;
  children: ReactNode;
}

/** One of the two panels of an answer: a header, code, and what follows it. */
export function PanelFrame({ label, title, aside, cause = false, children }: PanelFrameProps) {
  return (
    <section
      aria-label={label}
      className={clsx(
        'flex min-w-0 flex-col overflow-hidden rounded-md border border-border bg-surface',
        cause && 'border-l-2 border-l-cause',
      )}
    >
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-0.5 border-b border-border px-3 py-1.5">
        <div className="min-w-0">{title}</div>
        {aside && <div className="min-w-0 text-muted wrap-anywhere">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
