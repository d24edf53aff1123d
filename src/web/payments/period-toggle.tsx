import { clsx } from 'clsx';
import { BILLING_PERIODS, type BillingPeriod } from '#contract/plans.ts';
import { useTranslation } from '../i18n.ts';

/** Toggle between monthly and yearly prices: two radio buttons styled as a switch. */
export function PeriodToggle({
  period,
  onChange,
}: {
  period: BillingPeriod;
  onChange: (period: BillingPeriod) => void;
}) {
  const { t } = useTranslation('subscription');
  return (
    <fieldset className="inline-flex rounded-md border border-control p-0.5">
      <legend className="sr-only">{t('period.label')}</legend>
      {BILLING_PERIODS.map((value) => (
        <label
          key={value}
          className={clsx(
            'flex h-7 cursor-pointer items-center gap-2 rounded-sm px-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-action',
            value === period ? 'bg-select font-semibold' : 'text-muted hover:text-foreground',
          )}
        >
          <input
            type="radio"
            name="period"
            value={value}
            checked={value === period}
            onChange={() => onChange(value)}
            className="sr-only"
          />
          {t(`period.${value}`)}{' '}
          {value === 'yearly' && <span className="text-sm font-normal">{t('period.off')}</span>}
        </label>
      ))}
    </fieldset>
  );
}
