import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** Keyboard key. */
export function Kbd({ className, ...rest }: ComponentProps<'kbd'>) {
  return (
    <kbd
      {...rest}
      className={clsx(
        'rounded-sm border border-border px-1 text-xs font-medium whitespace-nowrap text-muted',
        className,
      )}
    />
  );
}
