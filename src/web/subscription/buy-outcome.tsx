import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/notice.tsx';
import type { Paid } from './checkout.ts';
import type { Buying } from './use-buy.ts';

interface BuyOutcomeProps {
  buying: Buying;
  onVerifyAgain: (paid: Paid) => void;
}

/** What came of a payment, above the plans. */
export function BuyOutcome({ buying, onVerifyAgain }: BuyOutcomeProps) {
  const { t } = useTranslation('subscription');
  if (buying.step === 'verifying') return <Notice className="mb-6">{t('verifying')}</Notice>;
  if (buying.step === 'done') return <Notice className="mb-6">{t('success')}</Notice>;
  if (buying.step !== 'not_verified') return null;
  return (
    <Notice kind="error" className="mb-6" onRetry={() => onVerifyAgain(buying.paid)}>
      {buying.text}
    </Notice>
  );
}
