import clsx from 'clsx';
import type { ReactNode } from 'react';

interface HunkFrameProps {
  title: ReactNode;
  aside?: ReactNode;
  /** Edge in the colour of the cause. */
  cause?: boolean;
  className?: string;
  children: ReactNode;
}

/** Framed code block with title and aside. */
export function HunkFrame({ title, aside, cause = false, className, children }: HunkFrameProps) {
  return (
    <div
      className={clsx(
        'overflow-hidden rounded-md border border-border bg-surface',
        cause && 'border-l-2 border-l-cause',
        className,
      )}
    >
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 border-b border-border py-1 pr-3 pl-3.5 font-mono text-sm text-muted">
        <span className="min-w-0 break-all">{title}</span>
        {aside && <span className="min-w-0">{aside}</span>}
      </div>
      {children}
    </div>
  );
}
