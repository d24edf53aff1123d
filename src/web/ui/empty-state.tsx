import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** What would be here, and how it gets here. */
  children?: ReactNode;
  action?: ReactNode;
}

/** A place with nothing in it yet: says so, says why, and offers the first step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-start gap-3 border-t border-rule py-8">
      <h2 className="text-answer">{title}</h2>
      {children && <div className="max-w-[68ch] text-muted">{children}</div>}
      {action}
    </div>
  );
}
