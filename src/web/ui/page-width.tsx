import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface WidthProps {
  children: ReactNode;
  className?: string;
}

/** Page of prose and settings: 760 px. */
export function ReadingPage({ children, className }: WidthProps) {
  return <div className={clsx('max-w-190', className)}>{children}</div>;
}

interface ListingProps extends WidthProps {
  /** Side column of 320 px; below the content on narrow screens. */
  aside?: ReactNode;
}

/** Page of lists and forms: 1,120 px, and beside it at most a side column. Both stay together on wide screens. */
export function ListingPage({ children, aside, className }: ListingProps) {
  if (aside === undefined) return <div className={clsx('max-w-280', className)}>{children}</div>;
  return (
    <div className={clsx('with-aside', className)}>
      <div className="min-w-0">{children}</div>
      <aside className="min-w-0">{aside}</aside>
    </div>
  );
}
