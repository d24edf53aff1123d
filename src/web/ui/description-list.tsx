import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface DescriptionListProps {
  /** Terms and values, in display order. */
  items: Record<string, ReactNode>;
  /** Omits the rule above the first row. */
  borderless?: boolean;
}

/** Description list in ruled rows. */
export function DescriptionList({ items, borderless = false }: DescriptionListProps) {
  return (
    <dl className={clsx('border-b border-border', borderless && '-mt-1.5')}>
      {Object.entries(items).map(([name, value]) => (
        <div
          key={name}
          className={clsx(
            'flex min-h-8 gap-4 border-border py-1.5',
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
