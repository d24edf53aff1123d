import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** A row of a bar chart with its value as a direct label. */
interface BarRow {
  key: string;
  label: ReactNode;
  value: number;
  /** Text of the value. */
  text: ReactNode;
  /** Quiet: something that is over or set apart. */
  faded?: boolean;
  note?: ReactNode;
  /** Ends of an interval around the value. */
  interval?: { low: number; high: number } | null;
}

/** Horizontal bars with names at the left and values at the right; an interval is drawn as a line around a point. */
export function BarRows({
  rows,
  max = Math.max(0, ...rows.map(({ value }) => value)),
}: {
  rows: readonly BarRow[];
  max?: number;
}) {
  const percent = (value: number) => `${max === 0 ? 0 : Math.min(100, (value / max) * 100)}%`;
  return (
    <ul className="border-b border-border">
      {rows.map(({ key, label, value, text, faded, note, interval }) => (
        <li
          key={key}
          className="grid min-h-8 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-t border-border py-1 hover:bg-select md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)_12rem]"
        >
          <span className="truncate">{label}</span>
          <span
            aria-hidden
            className="relative col-span-2 row-start-2 h-2 md:col-span-1 md:col-start-2 md:row-start-1"
          >
            {interval ? (
              <>
                <span
                  className="absolute top-1/2 h-0.5 -translate-y-1/2 bg-chart-2"
                  style={{ left: percent(interval.low), right: `calc(100% - ${percent(interval.high)})` }}
                />
                <span
                  className="absolute top-1/2 size-2 -translate-1/2 rounded-full bg-chart-1"
                  style={{ left: percent(value) }}
                />
              </>
            ) : (
              <span
                className={clsx('absolute inset-y-0 left-0 min-w-px', faded ? 'bg-age-4' : 'bg-chart-1')}
                style={{ width: percent(value) }}
              />
            )}
          </span>
          <span className="text-right whitespace-nowrap md:col-start-3 md:row-start-1">
            {text}
            {note && <span className="block text-sm text-muted">{note}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
