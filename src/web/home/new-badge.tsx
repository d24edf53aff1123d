import { useTranslation } from 'react-i18next';

/** Marks what came after the reader last looked; on a first visit nothing is old, so nothing is marked. */
export function NewBadge({ at, since }: { at: string | null; since: number | null }) {
  const { t } = useTranslation('home');
  if (at === null || since === null || Date.parse(at) <= since) return null;
  return <span className="font-semibold text-action">{t('new')}</span>;
}
