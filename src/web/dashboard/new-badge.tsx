import { useTranslation } from 'react-i18next';

/** Marks items newer than the last visit; nothing on a first visit. */
export function NewBadge({ at, since }: { at: string | null; since: number | null }) {
  const { t } = useTranslation('home');
  if (at === null || since === null || Date.parse(at) <= since) return null;
  return <span className="font-semibold text-action">{t('new')}</span>;
}
