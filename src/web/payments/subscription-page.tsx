import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { type BillingPeriod, PLANS } from '#contract/plans.ts';
import { getAccessToken } from '../access-token.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CheckoutResult } from './checkout-result.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { PaymentHistory } from './payment-history.tsx';
import { PeriodToggle } from './period-toggle.tsx';
import { PlanCard } from './plan-card.tsx';
import { useCheckout } from './use-checkout.ts';

const CheckoutDialog = lazyComponent(() =>
  import('./checkout-dialog.tsx').then((module) => module.CheckoutDialog),
);
const SalesDialog = lazyComponent(() => import('./sales-dialog.tsx').then((module) => module.SalesDialog));

/** `/subscription`: plans; for signed-in users also the current plan and payments. */
export function Component() {
  const { t } = useTranslation(['subscription', 'errors']);
  const signedIn = getAccessToken() !== null;
  const [period, setPeriod] = useState<BillingPeriod>('monthly');
  const [salesOpen, setSalesOpen] = useState(false);
  const subscription = useQuery({ ...apiQuery('GET /payments/subscription'), enabled: signedIn });
  const checkout = useCheckout();
  const { buying } = checkout;
  return (
    <div className="max-w-280">
      <PageHeader title={t('title')} lead={t('lead')} />
      <CheckoutResult checkout={buying} onRetryVerification={checkout.retryVerification} />
      {signedIn && (
        <QueryState query={subscription} loading={<PlanSkeleton />} errorClassName="mb-6">
          {(data) => <CurrentPlan subscription={data} />}
        </QueryState>
      )}
      <PeriodToggle period={period} onChange={setPeriod} />
      <div className="mt-3 grid border-y border-border md:grid-cols-3">
        {PLANS.map((plan) => (
          <PlanCard
            key={plan.value}
            plan={plan}
            period={period}
            subscription={subscription.data ?? null}
            signedIn={signedIn}
            onBuy={() => checkout.choose(period)}
            onSales={() => setSalesOpen(true)}
          />
        ))}
      </div>
      <p className="mt-3 max-w-[68ch] text-muted">{t('terms')}</p>
      {signedIn && <PaymentHistory onRefunded={checkout.close} />}
      <Suspense>
        {(buying.step === 'confirm' || buying.step === 'starting') && (
          <CheckoutDialog checkout={buying} onStart={checkout.start} onClose={checkout.close} />
        )}
        {salesOpen && <SalesDialog onClose={() => setSalesOpen(false)} />}
      </Suspense>
    </div>
  );
}

function PlanSkeleton() {
  return (
    <div className="mb-8 border-y border-border py-1">
      <Skeleton rows={['38%', '52%']} />
    </div>
  );
}
