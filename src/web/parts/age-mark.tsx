import { useTranslation } from '../i18n.ts';
import { ageBucket, ageColor, formatRelativeTime } from './age.ts';

/** Vertical bar in the color of an age, 6 px wide and as high as its row. Always accompanied by text. */
export function AgeBar({ timestamp, now }: { timestamp: string; now: number }) {
  return (
    <span
      aria-hidden
      className="block w-1.5 shrink-0 self-stretch"
      style={{ background: ageColor(ageBucket(timestamp, now)) }}
    />
  );
}

/** Horizontal mark in the color of an age. */
export function AgeTick({ timestamp, now }: { timestamp: string; now: number }) {
  return (
    <span
      aria-hidden
      className="inline-block h-1.5 w-[26px] shrink-0 self-center rounded-sm"
      style={{ background: ageColor(ageBucket(timestamp, now)) }}
    />
  );
}

/** `7 years ago`, with the exact time as title. */
export function TimeAgo({ timestamp, now }: { timestamp: string; now: number }) {
  const { t, i18n } = useTranslation('parts');
  const words = formatRelativeTime(timestamp, now, i18n.language);
  if (words === null) return <span>{t('invalid_time')}</span>;
  return (
    <time dateTime={timestamp} title={new Date(timestamp).toLocaleString(i18n.language)}>
      {words}
    </time>
  );
}
