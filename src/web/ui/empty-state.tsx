import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  /** Explanation. */
  children?: ReactNode;
  action?: ReactNode;
}

/** Empty state: title, explanation and first step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-start gap-3 border-t border-border py-8">
      <h2 className="text-answer">{title}</h2>
      {children && <div className="w-full max-w-[68ch] text-muted">{children}</div>}
      {action}
    </div>
  );
}
