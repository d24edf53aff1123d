import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** A short thing from the repository (a hash, a path, a symbol) in mono within a line of text. */
export function Chip({ className, ...rest }: ComponentProps<'span'>) {
  return (
    <span
      {...rest}
      className={clsx(
        'inline-block rounded-sm border border-rule bg-surface px-1.5 font-mono text-sm font-medium whitespace-nowrap text-action',
        className,
      )}
    />
  );
}

/** A key of the keyboard. */
export function Kbd({ className, ...rest }: ComponentProps<'kbd'>) {
  return (
    <kbd
      {...rest}
      className={clsx(
        'rounded-sm border border-rule px-1 text-xs font-medium whitespace-nowrap text-muted',
        className,
      )}
    />
  );
}

/** Words for those who listen, not for those who see. */
export function VisuallyHidden(props: ComponentProps<'span'>) {
  return <span {...props} className="sr-only" />;
}
