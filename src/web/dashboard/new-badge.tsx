import { useTranslation } from '../i18n.ts';

/** True for times after the last visit; false on a first visit. */
export function isNewSince(at: string | null, since: number | null): boolean {
  return at !== null && since !== null && Date.parse(at) > since;
}

/** Marks what is new since the last visit. */
export function NewBadge({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation('home');
  return isNew ? <span className="font-semibold text-action">{t('new')}</span> : null;
}
