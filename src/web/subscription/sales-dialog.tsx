import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../query.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Where to write about Enterprise: the operator's address, or who knows it. */
export function SalesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('subscription');
  const { data, error, refetch } = useQuery(apiQuery('GET /payments/plans'));
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('sales.title')}>
      {data && !data.sales_email && <p>{t('sales.nobody')}</p>}
      {data?.sales_email && (
        <p>
          {t('sales.write')}{' '}
          <a className="link" href={`mailto:${data.sales_email}?subject=Hindsight%20Enterprise`}>
            {data.sales_email}
          </a>
        </p>
      )}
      {!data && !error && <Skeleton rows={['70%']} />}
      {!data && error && (
        <Notice kind="error" onRetry={() => refetch()}>
          {error.message}
        </Notice>
      )}
    </Dialog>
  );
}
