import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Payment } from '#contract/payments.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { Button } from '../ui/button.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';
import { formatAmount } from './format-amount.ts';

const RefundDialog = lazyComponent(() => import('./refund-dialog.tsx').then((module) => module.RefundDialog));

/** Payments, newest first, with refunds. `onRefunded` is called after a refund. */
export function PaymentHistory({ onRefunded }: { onRefunded: () => void }) {
  const { t } = useTranslation('subscription');
  const query = useQuery(apiQuery('GET /payments/history'));
  const [refunding, setRefunding] = useState<Payment | null>(null);
  return (
    <section className="mt-10">
      <h2 className="mb-2">{t('history.title')}</h2>
      <QueryState
        query={query}
        loading={['60%', '60%']}
        empty={<p className="border-t border-border py-3 text-muted">{t('history.empty')}</p>}
      >
        {(payments) => (
          <ul className="border-t border-border">
            {payments.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} onRefund={() => setRefunding(payment)} />
            ))}
          </ul>
        )}
      </QueryState>
      {refunding && (
        <Suspense>
          <RefundDialog payment={refunding} onRefunded={onRefunded} onClose={() => setRefunding(null)} />
        </Suspense>
      )}
    </section>
  );
}

function PaymentRow({ payment, onRefund }: { payment: Payment; onRefund: () => void }) {
  const { t, i18n } = useTranslation('subscription');
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-b border-border py-1.5">
      <time dateTime={payment.created_at} className="sm:w-36">
        {formatLongDate(payment.created_at, i18n.language)}
      </time>
      <span className="min-w-24">{t(`order.${payment.period}`)}</span>
      <span className="sm:w-20 sm:text-right">
        {t('price.amount', { amount: formatAmount(payment.amount, i18n.language) })}
      </span>
      <span className="min-w-20 flex-1">
        {t(payment.refund ? `refund.state.${payment.refund.state}` : `history.state.${payment.state}`)}
      </span>
      <code className="text-muted" title={t('history.id')}>
        {payment.gateway_payment_id}
      </code>
      <span className="ml-auto text-right sm:w-20">
        {payment.refundable_until && (
          <Button size="small" onClick={onRefund}>
            {t('refund.open')}
          </Button>
        )}
      </span>
    </li>
  );
}
