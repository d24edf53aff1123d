import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Period, PLANS } from '#contract/plans.ts';
import { accessToken } from '../access-token.ts';
import { read } from '../query.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { BuyOutcome } from './buy-outcome.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { History } from './history.tsx';
import { PeriodToggle } from './period-toggle.tsx';
import { PlanCard } from './plan-card.tsx';
import { useBuy } from './use-buy.ts';

const BuyDialog = lazy(() => import('./buy-dialog.tsx').then((module) => ({ default: module.BuyDialog })));
const SalesDialog = lazy(() =>
  import('./sales-dialog.tsx').then((module) => ({ default: module.SalesDialog })),
);

/** `/subscription`: the plans, and for who is signed in their own, what it leaves, and what was paid. */
export function Component() {
  const { t } = useTranslation('subscription');
  const signedIn = accessToken() !== null;
  const [period, setPeriod] = useState<Period>('monthly');
  const [asksSales, setAsksSales] = useState(false);
  const subscription = useQuery({ ...read('GET /payments/subscription'), enabled: signedIn });
  const buy = useBuy();
  const { buying } = buy;
  return (
    <div className="max-w-[1080px]">
      <PageHeader title={t('title')} lead={t('lead')} />
      <BuyOutcome buying={buying} onVerifyAgain={buy.verifyAgain} />
      {subscription.data && <CurrentPlan subscription={subscription.data} />}
      {signedIn && subscription.isPending && (
        <div className="mb-8 border-y border-rule py-1">
          <Skeleton rows={['38%', '52%']} />
        </div>
      )}
      {subscription.error && !subscription.data && (
        <Notice kind="error" onRetry={() => subscription.refetch()} className="mb-6">
          {subscription.error.message}
        </Notice>
      )}
      <PeriodToggle period={period} onChange={setPeriod} />
      <div className="mt-3 grid border-y border-rule md:grid-cols-3">
        {PLANS.map((plan) => (
          <PlanCard
            key={plan.value}
            plan={plan}
            period={period}
            subscription={subscription.data ?? null}
            signedIn={signedIn}
            onBuy={() => buy.choose(period)}
            onSales={() => setAsksSales(true)}
          />
        ))}
      </div>
      <p className="mt-3 max-w-[68ch] text-muted">{t('terms')}</p>
      {signedIn && <History onRefunded={buy.close} />}
      <Suspense>
        {(buying.step === 'confirm' || buying.step === 'starting') && (
          <BuyDialog buying={buying} onStart={buy.start} onClose={buy.close} />
        )}
        {asksSales && <SalesDialog onClose={() => setAsksSales(false)} />}
      </Suspense>
    </div>
  );
}
