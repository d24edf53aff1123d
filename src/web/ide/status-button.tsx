import type { ReactNode } from 'react';

interface StatusButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** Action of the status bar. */
export function StatusButton({ label, onClick, children }: StatusButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={onClick}
      className="inline-flex h-6 min-w-6 items-center justify-center rounded-sm px-1.5 hover:bg-select hover:text-foreground focus-visible:-outline-offset-2"
    >
      {children}
    </button>
  );
}
