import { useTranslation } from 'react-i18next';
import type { Held } from '#contract/debug.ts';

const YEAR_DAYS = 365;

/** Whether an earlier fix held: for how long, or what undid it and when. */
export function HeldWords({ held }: { held: Held }) {
  const { t } = useTranslation('debug');
  const years = Math.floor(held.days / YEAR_DAYS);
  const time = years > 0 ? t('years', { count: years }) : t('days', { count: Math.round(held.days) });
  const good = held.state === 'held' || held.state === 'recent';
  return (
    <span className={good ? 'font-semibold text-held' : 'font-semibold text-doubt'}>
      {t(`held.${held.state}`, { time })}
    </span>
  );
}
