import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Payment } from '#contract/payments.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';
import { formatAmount } from './format-amount.ts';
import { invalidatePlan } from './invalidate-plan.ts';

interface RefundDialogProps {
  payment: Payment;
  onRefunded: () => void;
  onClose: () => void;
}

/** Confirms a refund. */
export function RefundDialog({ payment, onRefunded, onClose }: RefundDialogProps) {
  const { t, i18n } = useTranslation('subscription');
  const client = useQueryClient();
  const toast = useToast();
  const refund = useMutation({
    mutationFn: () => api('POST /payments/refund/:id', { params: { id: payment.id } }),
    onSuccess: async () => {
      await invalidatePlan(client);
      toast(t('refund.done'));
      onRefunded();
      onClose();
    },
  });
  const amount = t('price.amount', { amount: formatAmount(payment.amount, i18n.language) });
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('refund.title', { amount })}>
      <p>{t('refund.text')}</p>
      {refund.error && (
        <Notice kind="error" className="mt-4">
          {refund.error.message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="danger" loading={refund.isPending} onClick={() => refund.mutate()}>
          {t('refund.confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
