import { clsx } from 'clsx';
import { useId } from 'react';
import { useTranslation } from '../i18n.ts';
import { useMarks } from '../parts/use-marks.ts';

type Unit = 'hour' | 'day' | 'week';

interface OccurrenceChartProps {
  /** Names the chart for screen readers. */
  label: string;
  unit: Unit;
  /** Occurrences by period of UTC, the current one last. */
  values: readonly number[];
  /** First events of releases, drawn as ticks. */
  releases?: readonly { version: string; first_seen: string }[];
  /** Lower, without a number at its scale. */
  isCompact?: boolean;
  className?: string;
}

const HOUR_MS = 3_600_000;
const LENGTH_MS: Record<Unit, number> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };
const FORMATS: Record<Unit, Intl.DateTimeFormatOptions> = {
  hour: { weekday: 'short', hour: '2-digit', minute: '2-digit' },
  day: { month: 'short', day: 'numeric', timeZone: 'UTC' },
  week: { month: 'short', day: 'numeric', timeZone: 'UTC' },
};
/** Share of the width that the label of a release needs. */
const LABEL_SHARE = 0.14;

/** Start of the period that `back` periods ago was the current one. Weeks end with the current day. */
function periodStart(unit: Unit, back: number, now: number): number {
  const length = unit === 'hour' ? LENGTH_MS.hour : LENGTH_MS.day;
  const current = Math.floor(now / length) * length;
  return current - back * LENGTH_MS[unit] - (unit === 'week' ? 6 * LENGTH_MS.day : 0);
}

/** Occurrences over time with the releases in which they began; pointer and arrow keys describe a period. */
export function OccurrenceChart({
  label,
  unit,
  values,
  releases = [],
  isCompact = false,
  className,
}: OccurrenceChartProps) {
  const { t, i18n } = useTranslation('errors-page');
  const descriptionId = useId();
  const { active, setActive, chartProps } = useMarks(values.length, () => {});
  const now = Date.now();
  const max = Math.max(1, ...values);
  const number = new Intl.NumberFormat(i18n.language);
  const date = new Intl.DateTimeFormat(i18n.language, FORMATS[unit]);
  const startOf = (index: number) => periodStart(unit, values.length - 1 - index, now);
  const ticks = placeReleases(releases, startOf(0), LENGTH_MS[unit] * values.length);
  const total = values.reduce((sum, value) => sum + value, 0);
  const shown = active === null ? total : (values[active] ?? 0);
  const time =
    active === null
      ? t(`chart.range.${unit}`, { count: values.length })
      : t(`chart.at.${unit}`, { date: date.format(startOf(active)) });
  const inPeriod = ticks.filter(
    ({ share }) => active !== null && Math.floor(share * values.length) === active,
  );
  return (
    <figure className={className}>
      <div className={clsx('flex gap-2', ticks.length > 0 && 'pt-5')}>
        {!isCompact && (
          <div aria-hidden className="-my-2 flex flex-col justify-between text-right text-sm text-muted">
            <span>{number.format(max)}</span>
            <span>0</span>
          </div>
        )}
        <div
          role="application"
          aria-label={`${label}. ${t('chart.keys')}`}
          aria-describedby={descriptionId}
          className={clsx(
            'relative flex min-w-0 flex-1 items-end gap-px border-b border-border',
            isCompact ? 'h-8' : 'h-20 border-t',
          )}
          {...chartProps}
        >
          {values.map((value, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time.
              key={index}
              aria-hidden
              onPointerEnter={() => setActive(index)}
              className={clsx('flex h-full min-w-0 flex-1 items-end', index === active && 'bg-chart-band')}
            >
              <span
                className={clsx('w-full', index === active ? 'bg-chart-1' : 'bg-chart-2')}
                style={{ height: value === 0 ? 0 : `max(3px, ${(value / max) * 100}%)` }}
              />
            </span>
          ))}
          {ticks.map((tick) => (
            <ReleaseTick key={tick.version} {...tick} />
          ))}
        </div>
      </div>
      {!isCompact && (
        <div aria-hidden className="mt-1.5 flex justify-between text-sm text-muted">
          <span>{date.format(startOf(0))}</span>
          <span>{date.format(startOf(values.length - 1))}</span>
        </div>
      )}
      <figcaption id={descriptionId} aria-live="polite" className="text-sm text-muted">
        {t('chart.count', { count: shown, value: number.format(shown), time })}
        {inPeriod.length > 0 &&
          ` · ${t('chart.first_in', { releases: inPeriod.map(({ version }) => version).join(', ') })}`}
      </figcaption>
    </figure>
  );
}

interface Tick {
  version: string;
  /** Place in time, 0 to 1. */
  share: number;
  isLabelled: boolean;
}

/** Releases within the chart, oldest first; those with room have a label. */
function placeReleases(
  releases: NonNullable<OccurrenceChartProps['releases']>,
  start: number,
  length: number,
): Tick[] {
  let free = 0;
  return releases
    .map(({ version, first_seen }) => ({ version, share: (Date.parse(first_seen) - start) / length }))
    .filter(({ share }) => share >= 0 && share < 1)
    .sort((a, b) => a.share - b.share)
    .map((tick) => {
      const isLabelled = tick.share >= free;
      if (isLabelled) free = tick.share + LABEL_SHARE;
      return { ...tick, isLabelled };
    });
}

function ReleaseTick({ version, share, isLabelled }: Tick) {
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute -top-4 bottom-0 border-l border-dashed border-muted"
      style={{ left: `${share * 100}%` }}
    >
      {isLabelled && (
        <span
          className={clsx(
            'absolute -top-1 max-w-28 truncate px-1 font-mono text-xs text-muted',
            share > 1 - LABEL_SHARE ? 'right-0' : 'left-0',
          )}
        >
          {version}
        </span>
      )}
    </span>
  );
}
