import { getPlan } from '#contract/plans.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { formatAmount } from './format-amount.ts';
import type { CheckoutState } from './use-checkout.ts';

interface CheckoutDialogProps {
  checkout: Extract<CheckoutState, { step: 'confirm' | 'starting' }>;
  onStart: (period: 'monthly' | 'yearly') => void;
  onClose: () => void;
}

/** Confirms plan, period and price before the checkout opens. */
export function CheckoutDialog({ checkout, onStart, onClose }: CheckoutDialogProps) {
  const { t, i18n } = useTranslation('subscription');
  const { period } = checkout;
  const starting = checkout.step === 'starting';
  const amount = t('price.amount', { amount: formatAmount(getPlan('pro').price[period], i18n.language) });
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('confirm.title')}>
      <p>{t(`confirm.${period}`, { amount })}</p>
      <p className="mt-2 text-muted">{t('confirm.terms')}</p>
      {checkout.step === 'confirm' && checkout.failure && (
        <Notice kind="error" className="mt-4">
          {checkout.failure}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" loading={starting} onClick={() => onStart(period)}>
          {t(starting ? 'confirm.starting' : 'confirm.start')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
