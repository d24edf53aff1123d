import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { formatFullDateTime, formatTimeAgo } from './format-time.ts';

/** Relative time, updated every minute, with the exact time as title. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const { t, i18n } = useTranslation('ui');
  const now = useTickingNow();
  const ago = formatTimeAgo(at, now, i18n.language);
  if (ago === null) return <span className={className}>{t('invalid_time')}</span>;
  return (
    <time dateTime={at} title={formatFullDateTime(at, i18n.language) ?? undefined} className={className}>
      {ago === 'now' ? t('just_now') : ago.text}
    </time>
  );
}

function useTickingNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
