import type { FixOutcome } from '#contract/debug.ts';
import { formatDays } from '#locales/format-age.ts';
import { useTranslation } from '../i18n.ts';

/** Outcome of an earlier fix: still in place, or undone, and after what time. */
export function FixOutcomeLabel({ outcome }: { outcome: FixOutcome }) {
  const { t, i18n } = useTranslation('debug');
  const time = formatDays(outcome.days, i18n.language);
  const isPositive = outcome.state === 'in_place' || outcome.state === 'too_recent';
  return (
    <span className={isPositive ? 'font-semibold text-success' : 'font-semibold text-warning'}>
      {t(`outcome.${outcome.state}`, { time })}
    </span>
  );
}
