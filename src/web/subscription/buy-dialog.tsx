import { useTranslation } from 'react-i18next';
import { planOf } from '#contract/plans.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { formatAmount } from './money.ts';
import type { Buying } from './use-buy.ts';

interface BuyDialogProps {
  buying: Extract<Buying, { step: 'confirm' | 'starting' }>;
  onStart: (period: 'monthly' | 'yearly') => void;
  onClose: () => void;
}

/** Asks before the checkout opens: what is bought, for how long, at what price. */
export function BuyDialog({ buying, onStart, onClose }: BuyDialogProps) {
  const { t, i18n } = useTranslation('subscription');
  const { period } = buying;
  const starting = buying.step === 'starting';
  const amount = t('price.amount', { amount: formatAmount(planOf('pro').price[period], i18n.language) });
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('confirm.title')}>
      <p>{t(`confirm.${period}`, { amount })}</p>
      <p className="mt-2 text-muted">{t('confirm.terms')}</p>
      {buying.step === 'confirm' && buying.failure && (
        <Notice kind="error" className="mt-4">
          {buying.failure}
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
