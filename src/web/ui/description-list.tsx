import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface DescriptionListProps {
  /** Name → value, in the order in which they are shown. */
  items: Record<string, ReactNode>;
  /** The first row stands under no rule, since something above it has drawn one. */
  borderless?: boolean;
}

/** Facts in rows between rules: the name, then the value. */
export function DescriptionList({ items, borderless = false }: DescriptionListProps) {
  return (
    <dl className={clsx('border-b border-rule', borderless && '-mt-1.5')}>
      {Object.entries(items).map(([name, value]) => (
        <div
          key={name}
          className={clsx(
            'flex min-h-8 gap-4 border-rule py-1.5',
            borderless ? 'not-first:border-t' : 'border-t',
          )}
        >
          <dt className="w-32 shrink-0 text-muted sm:w-40">{name}</dt>
          <dd className="min-w-0 wrap-anywhere whitespace-pre-line">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
