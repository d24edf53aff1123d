import clsx from 'clsx';
import type { ReactNode } from 'react';

interface ToggleButtonProps {
  pressed: boolean;
  onChange: (pressed: boolean) => void;
  children: ReactNode;
}

/** Button of a toolbar that stays pressed. */
export function ToggleButton({ pressed, onChange, children }: ToggleButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={() => onChange(!pressed)}
      className={clsx(
        'inline-flex h-8 items-center rounded-md border px-3 font-medium whitespace-nowrap transition-colors duration-150 hover:bg-select',
        pressed ? 'border-control bg-select text-foreground' : 'border-transparent text-muted',
      )}
    >
      {children}
    </button>
  );
}
