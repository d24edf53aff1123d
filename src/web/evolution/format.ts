import { useTranslation } from '../i18n.ts';
import { formatPercent } from '../parts/format-percent.ts';

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Formats of days, periods and numbers in the reader's language. Days are of UTC, as the figures are. */
export function useFormats() {
  const { t, i18n } = useTranslation('evolution');
  const language = i18n.language;
  const date = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }).format(new Date(`${day}T00:00:00Z`));
  const medium = (day: string) => date(day, { dateStyle: 'medium' });
  const monthOf = (day: string) => date(day, { month: 'long', year: 'numeric' });
  const quarterOf = (day: string) => Math.ceil(Number(day.slice(5, 7)) / 3);
  return {
    number: (value: number) => new Intl.NumberFormat(language).format(value),
    percent: (share: number) => formatPercent(share, language),
    day: medium,
    month: monthOf,
    /** Name of a period by its first day. */
    period: (unit: Unit, start: string) => {
      if (unit === 'week') return t('week_of', { date: medium(start) });
      if (unit === 'month') return monthOf(start);
      if (unit === 'quarter') return t('quarter', { quarter: quarterOf(start), year: start.slice(0, 4) });
      return unit === 'year' ? start.slice(0, 4) : medium(start);
    },
    /** Short label of a period for an axis. */
    tick: (unit: Unit, start: string) => {
      if (unit === 'quarter' && quarterOf(start) !== 1) return '';
      if (unit === 'year' || unit === 'quarter') return start.slice(0, 4);
      return date(
        start,
        unit === 'month' ? { month: 'short', year: '2-digit' } : { month: 'short', day: 'numeric' },
      );
    },
  };
}

/** Last day of the period that starts at a day. */
export function endOfPeriod(unit: Unit, start: string): string {
  const date = new Date(`${start}T00:00:00Z`);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() + 6);
  else if (unit !== 'day') {
    date.setUTCMonth(date.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[unit]);
    date.setUTCDate(date.getUTCDate() - 1);
  }
  return date.toISOString().slice(0, 10);
}
