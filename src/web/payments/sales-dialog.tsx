import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Dialog } from '../ui/dialog.tsx';
import { QueryState } from '../ui/query-state.tsx';

/** Contact for Enterprise: the operator's sales email. */
export function SalesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('subscription');
  const query = useQuery(apiQuery('GET /payments/plans'));
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('sales.title')}>
      <QueryState
        query={query}
        loading={['70%']}
        empty={<p>{t('sales.no_contact')}</p>}
        isEmpty={({ sales_email }) => !sales_email}
      >
        {({ sales_email }) => (
          <p>
            {t('sales.email')}{' '}
            <a className="link" href={`mailto:${sales_email}?subject=Hindsight%20Enterprise`}>
              {sales_email}
            </a>
          </p>
        )}
      </QueryState>
    </Dialog>
  );
}
