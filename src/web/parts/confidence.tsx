import clsx from 'clsx';
import { useTranslation } from '../i18n.ts';
import { formatPercent } from './format-percent.ts';

/** Upper bounds of the levels thin and likely; strong above. */
const LEVELS = [
  [0.45, 'confidence.weak'],
  [0.7, 'confidence.probable'],
  [Number.POSITIVE_INFINITY, 'confidence.strong'],
] as const;

/** Confidence as a bar, a percentage and a label. `value` is 0 to 1. */
export function Confidence({ value }: { value: number }) {
  const { t } = useTranslation('parts');
  const [, words] = LEVELS.find(([limit]) => value < limit) ?? LEVELS[2];
  return (
    <span className="inline-flex items-center gap-2">
      <ProbabilityBar value={value} />
      <span>{t(words)}</span>
    </span>
  );
}

interface ProbabilityProps {
  /** Name of the statement. */
  label: string;
  /** 0 to 1. */
  value: number;
  /** Drawn in the colour of the cause. */
  cause?: boolean;
}

/** Probability of one statement: its name, a bar and a percentage. */
export function Probability({ label, value, cause = false }: ProbabilityProps) {
  return (
    <span className="inline-flex items-center gap-2">
      <span>{label}</span>
      <ProbabilityBar value={value} cause={cause} />
    </span>
  );
}

function ProbabilityBar({ value, cause = false }: { value: number; cause?: boolean }) {
  const { i18n } = useTranslation('parts');
  const share = Math.min(1, Math.max(0, value));
  return (
    <>
      <span aria-hidden className="h-1.5 w-[72px] overflow-hidden rounded-sm bg-border">
        <span
          className={clsx('block h-full', cause ? 'bg-cause' : 'bg-action')}
          style={{ width: `${100 * share}%` }}
        />
      </span>
      <b className="font-semibold text-foreground">{formatPercent(share, i18n.language)}</b>
    </>
  );
}
