import { clsx } from 'clsx';
import { PLANS, type Plan, REFUND_DAYS, TRIAL_DAYS } from '#contract/plans.ts';
import { useTranslation } from '../i18n.ts';
import { PlanLimits } from '../parts/plan-limits.tsx';
import { buttonClass } from '../ui/button.tsx';

/** The plans in dollars, as columns of one ruled table. */
export function PricingPage() {
  const { t } = useTranslation('site');
  return (
    <div className="pt-10">
      <h1 className="landing-title">{t('pricing.title')}</h1>
      <p className="mt-2 max-w-[68ch] text-answer text-muted">
        {t('pricing.lead', { trial: TRIAL_DAYS, refund: REFUND_DAYS })}
      </p>
      <div className="mt-8 grid border-y border-border md:grid-cols-3">
        {PLANS.map((plan) => (
          <PlanColumn key={plan.value} plan={plan} />
        ))}
      </div>
      <div className="mt-6 flex max-w-[68ch] flex-col gap-3 text-answer text-muted">
        <p>{t('pricing.changes')}</p>
        <p>{t('pricing.refunds', { refund: REFUND_DAYS })}</p>
        <p>{t('pricing.own_server')}</p>
      </div>
    </div>
  );
}

function PlanColumn({ plan }: { plan: Plan }) {
  const { t } = useTranslation(['site', 'subscription']);
  const { value, usd, name, pricing, limits } = plan;
  return (
    <section
      aria-labelledby={value}
      className="flex flex-col border-border py-5 not-first:border-t md:px-6 md:first:pl-0 md:last:pr-0 md:not-first:border-t-0 md:not-first:border-l"
    >
      <h2 id={value} className="text-answer">
        {name}
      </h2>
      <p className="mt-1">
        <span className="text-title font-semibold">{usd === null ? t('pricing.custom') : `$${usd}`}</span>
        {usd !== null && usd > 0 && <span className="text-muted">{t('pricing.a_month')}</span>}
      </p>
      <ul className="mt-3 mb-3">
        {pricing.map(({ code, text }) => (
          <li key={code} className="border-t border-border py-1.5 text-muted">
            {t(`subscription:feature.${code}`, { defaultValue: text })}
          </li>
        ))}
      </ul>
      <PlanLimits limits={limits} />
      <a
        href={value === 'enterprise' ? '/subscription' : '/signup'}
        className={clsx(buttonClass(value === 'pro' ? 'primary' : 'plain'), 'self-start')}
      >
        {t(`pricing.choose.${value}`)}
      </a>
    </section>
  );
}
