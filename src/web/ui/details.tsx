import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface DetailsProps {
  /** Name → value, in the order in which they are shown. */
  of: Record<string, ReactNode>;
  /** The first row stands under no rule, since something above it has drawn one. */
  open?: boolean;
}

/** Facts in rows between rules: the name, then the value. */
export function Details({ of, open = false }: DetailsProps) {
  return (
    <dl className={clsx('border-b border-rule', open && '-mt-1.5')}>
      {Object.entries(of).map(([name, value]) => (
        <div
          key={name}
          className={clsx('flex min-h-8 gap-4 border-rule py-1.5', open ? 'not-first:border-t' : 'border-t')}
        >
          <dt className="w-32 shrink-0 text-muted sm:w-40">{name}</dt>
          <dd className="min-w-0 wrap-anywhere whitespace-pre-line">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
