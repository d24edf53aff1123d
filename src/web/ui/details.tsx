import type { ReactNode } from 'react';

interface DetailsProps {
  /** Name → value, in the order in which they are shown. */
  of: Record<string, ReactNode>;
}

/** Facts in rows between rules: the name, then the value. */
export function Details({ of }: DetailsProps) {
  return (
    <dl className="border-b border-rule">
      {Object.entries(of).map(([name, value]) => (
        <div key={name} className="flex min-h-8 gap-4 border-t border-rule py-1.5">
          <dt className="w-32 shrink-0 text-muted sm:w-40">{name}</dt>
          <dd className="min-w-0 wrap-anywhere whitespace-pre-line">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
