import { Check } from 'lucide-react';
import type { Subscription } from '#contract/payments.ts';
import { type BillingPeriod, type Plan, yearlyDiscountPercent } from '#contract/plans.ts';
import { useTranslation } from '../i18n.ts';
import { PlanLimits } from '../parts/plan-limits.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { formatAmount } from './format-amount.ts';

interface PlanCardProps {
  plan: Plan;
  period: BillingPeriod;
  /** Null for visitors and while loading. */
  subscription: Subscription | null;
  signedIn: boolean;
  onBuy: () => void;
  onSales: () => void;
}

/** Plan with price, features and action. */
export function PlanCard({ plan, period, ...choice }: PlanCardProps) {
  const { t } = useTranslation('subscription');
  const id = `plan-${plan.value}`;
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col border-border py-5 not-first:border-t md:px-6 md:first:pl-0 md:last:pr-0 md:not-first:border-t-0 md:not-first:border-l"
    >
      <h2 id={id} className="text-answer">
        {t(`plan.${plan.value}.name`, { defaultValue: plan.name })}
      </h2>
      <p className="text-muted md:max-xl:min-h-10">
        {t(`plan.${plan.value}.description`, { defaultValue: plan.description })}
      </p>
      <Price plan={plan} period={period} />
      <ul className="mt-3 mb-3">
        {plan.features.map(({ code, text }) => (
          <li key={code} className="flex gap-2 border-t border-border py-1.5">
            <Check aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-muted" />
            {t(`feature.${code}`, { defaultValue: text })}
          </li>
        ))}
      </ul>
      <PlanLimits limits={plan.limits} />
      <div className="flex min-h-8 items-center gap-3">
        <PlanAction plan={plan} {...choice} />
      </div>
    </section>
  );
}

function Price({ plan, period }: Pick<PlanCardProps, 'plan' | 'period'>) {
  const { t, i18n } = useTranslation('subscription');
  const saving = yearlyDiscountPercent(plan);
  return (
    <div className="mt-3 min-h-12">
      <p>
        <span className="text-title font-semibold">
          {t('price.amount', { amount: formatAmount(plan.price[period], i18n.language) })}
        </span>
        {plan.price[period] > 0 && <span className="text-muted"> {t(`price.${period}`)}</span>}
      </p>
      {period === 'yearly' && saving > 0 && (
        <p className="text-sm text-muted">{t('price.saving', { percent: saving })}</p>
      )}
    </div>
  );
}

function PlanAction({ plan, subscription, signedIn, onBuy, onSales }: Omit<PlanCardProps, 'period'>) {
  const { t } = useTranslation('subscription');
  if (plan.value === 'enterprise') {
    if (subscription?.plan === 'enterprise') return <CurrentPlanLabel />;
    return <Button onClick={onSales}>{t('choose.enterprise')}</Button>;
  }
  if (!signedIn) {
    return (
      <ButtonLink
        to={`/signup?next=${encodeURIComponent('/subscription')}`}
        kind={plan.value === 'pro' ? 'primary' : 'plain'}
      >
        {t(`choose.${plan.value}`)}
      </ButtonLink>
    );
  }
  if (!subscription || subscription.plan === 'enterprise') return null;
  if (plan.value === 'free') {
    if (subscription.plan === 'free') return <CurrentPlanLabel />;
    return <span className="text-muted">{t('choose.later')}</span>;
  }
  const paying = subscription.plan === 'pro';
  return (
    <>
      <Button kind={paying ? 'plain' : 'primary'} onClick={onBuy}>
        {t(paying ? 'choose.extend' : 'choose.pro')}
      </Button>
      {paying && <CurrentPlanLabel />}
    </>
  );
}

function CurrentPlanLabel() {
  const { t } = useTranslation('subscription');
  return (
    <span className="flex items-center gap-1.5 font-semibold">
      <Check aria-hidden="true" className="size-4" />
      {t('yours')}
    </span>
  );
}
