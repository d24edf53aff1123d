import { useTranslation } from '../../i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { IntakeChanges } from './use-intake.ts';

/** Confirms the replacement of the key: programs with the previous DSN are refused at once. */
export function RotateKeyDialog({
  changes: { rotate },
  onClose,
}: {
  changes: IntakeChanges;
  onClose: () => void;
}) {
  const { t } = useTranslation('intake');
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('rotate.title')}>
      <p>{t('rotate.text')}</p>
      {rotate.error && <Notice kind="error">{rotate.error.message}</Notice>}
      <DialogActions>
        <Button onClick={onClose}>{t('rotate.cancel')}</Button>
        <Button
          kind="danger"
          loading={rotate.isPending}
          onClick={() => rotate.mutate(undefined, { onSuccess: onClose })}
        >
          {t('rotate.confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
