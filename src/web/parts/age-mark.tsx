import { useTranslation } from 'react-i18next';
import { ageBucket, ageColor, formatAge } from './age.ts';

/** The mark of age at the left of a line, commit or file: 6 px wide, as high as its row. Words stand beside it. */
export function AgeBar({ timestamp, now }: { timestamp: string; now: number }) {
  return (
    <span
      aria-hidden
      className="block w-1.5 shrink-0 self-stretch"
      style={{ background: ageColor(ageBucket(timestamp, now)) }}
    />
  );
}

/** The same mark lying down, at the head of a step in a timeline. */
export function AgeTick({ timestamp, now }: { timestamp: string; now: number }) {
  return (
    <span
      aria-hidden
      className="inline-block h-1.5 w-[26px] shrink-0 self-center rounded-sm"
      style={{ background: ageColor(ageBucket(timestamp, now)) }}
    />
  );
}

/** `7 years ago`, with the exact time on hover; a broken time says so. */
export function TimeAgo({ timestamp, now }: { timestamp: string; now: number }) {
  const { t, i18n } = useTranslation('parts');
  const words = formatAge(timestamp, now, i18n.language);
  if (words === null) return <span>{t('invalid_time')}</span>;
  return (
    <time dateTime={timestamp} title={new Date(timestamp).toLocaleString(i18n.language)}>
      {words}
    </time>
  );
}
