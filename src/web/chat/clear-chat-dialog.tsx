import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

/** Confirms that the chat is cleared. */
export function ClearChatDialog({ clear, onClose }: { clear: () => Promise<void>; onClose: () => void }) {
  const { t } = useTranslation('chat');
  const clearing = useMutation({ mutationFn: clear, onSuccess: onClose });
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('clear.open')}>
      <p>{t('clear.question')}</p>
      {clearing.error && (
        <Notice kind="error" className="mt-4">
          {t('clear.failed')}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('clear.cancel')}</Button>
        <Button kind="danger" loading={clearing.isPending} onClick={() => clearing.mutate()}>
          {t('clear.open')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
