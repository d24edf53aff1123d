import { useTranslation } from 'react-i18next';
import type { FixOutcome } from '#contract/debug.ts';

const YEAR_DAYS = 365;

/** Whether an earlier fix held: for how long, or what undid it and when. */
export function FixOutcomeLabel({ outcome }: { outcome: FixOutcome }) {
  const { t } = useTranslation('debug');
  const years = Math.floor(outcome.days / YEAR_DAYS);
  const time = years > 0 ? t('years', { count: years }) : t('days', { count: Math.round(outcome.days) });
  const isPositive = outcome.state === 'in_place' || outcome.state === 'too_recent';
  return (
    <span className={isPositive ? 'font-semibold text-held' : 'font-semibold text-doubt'}>
      {t(`outcome.${outcome.state}`, { time })}
    </span>
  );
}
