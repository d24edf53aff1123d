import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button.tsx';

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
      className={buttonClass(pressed ? 'plain' : 'ghost', pressed ? 'bg-select font-semibold' : 'text-muted')}
    >
      {children}
    </button>
  );
}
