import { useTranslation } from '../i18n.ts';
import { Notice } from '../ui/notice.tsx';
import type { PaymentConfirmation } from './razorpay.ts';
import type { CheckoutState } from './use-checkout.ts';

interface CheckoutResultProps {
  checkout: CheckoutState;
  onRetryVerification: (paid: PaymentConfirmation) => void;
}

/** Result of a payment. */
export function CheckoutResult({ checkout, onRetryVerification }: CheckoutResultProps) {
  const { t } = useTranslation('subscription');
  if (checkout.step === 'verifying') return <Notice className="mb-6">{t('verifying')}</Notice>;
  if (checkout.step === 'done') return <Notice className="mb-6">{t('success')}</Notice>;
  if (checkout.step !== 'not_verified') return null;
  return (
    <Notice kind="error" className="mb-6" onRetry={() => onRetryVerification(checkout.paid)}>
      {checkout.text}
    </Notice>
  );
}
