import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';
import { invalidatePlan } from './invalidate-plan.ts';

/** Confirms the cancellation at the end of the period. */
export function CancelDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('subscription');
  const client = useQueryClient();
  const toast = useToast();
  const cancel = useMutation({
    mutationFn: () => api('POST /payments/subscription/cancel'),
    onSuccess: async () => {
      await invalidatePlan(client);
      toast(t('cancel_plan.done'));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('cancel_plan.title')}>
      <p>{t('cancel_plan.text')}</p>
      {cancel.error && (
        <Notice kind="error" className="mt-4">
          {cancel.error.message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('cancel_plan.keep')}</Button>
        <Button kind="danger" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('cancel_plan.confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
