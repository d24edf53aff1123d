import { useTranslation } from '../i18n.ts';

interface SparklineProps {
  /** 12 to 52 counts, oldest first. */
  values: readonly number[];
  /** Counted things, such as `Commits`. */
  label: string;
  /** Length of the time that one bar stands for. */
  unit?: 'day' | 'week' | 'month';
  className?: string;
}

const HEIGHT = 18;
/** Height of an empty bar, so that the row of time stays visible. */
const EMPTY = 1;

/** Small bar chart of a count over time, the newest at the right and strongest; described by a sentence. */
export function Sparkline({ values, label, unit = 'week', className }: SparklineProps) {
  const { t, i18n } = useTranslation('ui');
  const max = Math.max(1, ...values);
  // Many bars are thin, few are as wide as those of the charts.
  const [bar, gap] = values.length > 26 ? [2, 1] : [4, 2];
  const width = Math.max(0, values.length * (bar + gap) - gap);
  const number = new Intl.NumberFormat(i18n.language);
  const sentence = t(`sparkline.${unit}`, {
    label,
    count: values.length,
    total: number.format(values.reduce((sum, value) => sum + value, 0)),
    latest: number.format(values.at(-1) ?? 0),
    max: number.format(Math.max(0, ...values)),
  });
  return (
    <svg
      role="img"
      aria-label={sentence}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className={className}
    >
      <title>{sentence}</title>
      {values.map((value, index) => {
        const height = value === 0 ? EMPTY : Math.max(3, Math.round((value / max) * HEIGHT));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time.
            key={index}
            x={index * (bar + gap)}
            y={HEIGHT - height}
            width={bar}
            height={height}
            fill={`var(${value === 0 ? '--chart-grid' : index === values.length - 1 ? '--chart-1' : '--chart-2'})`}
          />
        );
      })}
    </svg>
  );
}
