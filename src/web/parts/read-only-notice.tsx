import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { Notice } from '../ui/notice.tsx';

/** Notice above a project that exceeds the plan of its owner. */
export function ReadOnlyNotice({ isOwner }: { isOwner: boolean }) {
  const { t } = useTranslation('billing');
  return (
    <Notice kind="warning" className="mb-4">
      {t('read_only.text')}{' '}
      {isOwner && (
        <Link to="/settings/billing" className="link">
          {t('read_only.link')}
        </Link>
      )}
    </Notice>
  );
}
