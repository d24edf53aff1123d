import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

interface DiscardJobDialogProps {
  isPending: boolean;
  /** Of the last try. */
  error: Error | null;
  onClose: () => void;
  onConfirm: () => void;
}

/** Confirms the deletion of a dead job, which cannot be undone. */
export function DiscardJobDialog({ isPending, error, onClose, onConfirm }: DiscardJobDialogProps) {
  const { t } = useTranslation('admin');
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('jobs.discard_title')}>
      <p>{t('jobs.discard_text')}</p>
      {error && (
        <Notice kind="error" className="mt-4" onRetry={onConfirm}>
          {error.message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('jobs.discard_cancel')}</Button>
        <Button kind="danger" loading={isPending} onClick={onConfirm}>
          {t('jobs.discard_confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
