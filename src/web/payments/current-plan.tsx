import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { Subscription } from '#contract/payments.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { Button } from '../ui/button.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';
import { invalidatePlan } from './invalidate-plan.ts';
import { UsageMeter } from './usage-meter.tsx';

const CancelDialog = lazyComponent(() => import('./cancel-dialog.tsx').then((module) => module.CancelDialog));

/** Current plan, its period and usage. */
export function CurrentPlan({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscription');
  const [cancelling, setCancelling] = useState(false);
  const trial = useStartTrial();
  const cancellable = subscription.expires_at !== null && !subscription.cancel_at_period_end;
  return (
    <section aria-label={t('current.title')} className="mb-8 border-y border-border">
      <dl className="grid sm:grid-cols-3">
        <Cell label={t('current.title')}>{t(`plan.${subscription.plan}.name`)}</Cell>
        <Cell label={t('current.period')}>
          <PlanPeriod subscription={subscription} />
        </Cell>
        <Cell label={t('usage.projects')}>
          <UsageMeter {...subscription.usage.projects} />
        </Cell>
      </dl>
      <div className="flex flex-wrap items-center gap-2 border-t border-border py-3">
        {subscription.trial.available && (
          <Button loading={trial.isPending} onClick={() => trial.mutate()}>
            {t('trial.start')}
          </Button>
        )}
        {cancellable && <Button onClick={() => setCancelling(true)}>{t('cancel_plan.open')}</Button>}
        <a href="/settings/billing" className="link">
          {t('billing')}
        </a>
      </div>
      {trial.error && (
        <Notice kind="error" className="mb-3">
          {trial.error.message}
        </Notice>
      )}
      {cancelling && (
        <Suspense>
          <CancelDialog onClose={() => setCancelling(false)} />
        </Suspense>
      )}
    </section>
  );
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="border-border py-3 not-first:border-t sm:px-6 sm:first:pl-0 sm:not-first:border-t-0 sm:not-first:border-l">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-answer">{children}</dd>
    </div>
  );
}

/** Period of the plan. */
function PlanPeriod({ subscription }: { subscription: Subscription }) {
  const { t, i18n } = useTranslation('subscription');
  const { plan, effective_plan, expires_at, trial } = subscription;
  if (expires_at !== null) {
    const date = formatLongDate(expires_at, i18n.language);
    return t(subscription.cancel_at_period_end ? 'current.cancelled' : 'current.until', { date });
  }
  if (plan === 'free' && effective_plan === 'pro' && trial.ends_at !== null) {
    return t('current.trial', { date: formatLongDate(trial.ends_at, i18n.language) });
  }
  const everything = plan === 'free' && subscription.usage.projects.limit === null;
  return t(everything ? 'current.all_included' : 'current.never_expires');
}

function useStartTrial() {
  const { t } = useTranslation('subscription');
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () => api('POST /payments/subscription/trial'),
    onSuccess: async () => {
      toast(t('trial.started'));
      await invalidatePlan(client);
    },
  });
}
