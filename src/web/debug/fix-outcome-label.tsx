import { useTranslation } from 'react-i18next';
import type { FixOutcome } from '#contract/debug.ts';

const YEAR_DAYS = 365;

/** Outcome of an earlier fix: still in place, or undone, and after what time. */
export function FixOutcomeLabel({ outcome }: { outcome: FixOutcome }) {
  const { t } = useTranslation('debug');
  const years = Math.floor(outcome.days / YEAR_DAYS);
  const time = years > 0 ? t('years', { count: years }) : t('days', { count: Math.round(outcome.days) });
  const isPositive = outcome.state === 'in_place' || outcome.state === 'too_recent';
  return (
    <span className={isPositive ? 'font-semibold text-success' : 'font-semibold text-warning'}>
      {t(`outcome.${outcome.state}`, { time })}
    </span>
  );
}
