import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface RowActionsProps {
  /** Small or icon buttons. */
  children: ReactNode;
  className?: string;
}

/**
 * Actions of a row, shown while the closest ancestor with the class `row` is hovered or has the focus, and always where
 * nothing can hover. Their place is reserved, so that nothing moves.
 */
export function RowActions({ children, className }: RowActionsProps) {
  return <div className={clsx('row-actions flex shrink-0 items-center gap-1', className)}>{children}</div>;
}
