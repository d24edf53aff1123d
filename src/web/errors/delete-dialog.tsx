import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { useDeleteErrors } from './use-delete-errors.ts';

interface DeleteDialogProps {
  errors: ErrorGroup[];
  onClose: () => void;
  onDeleted: () => void;
}

/** Confirms the deletion of errors, which cannot be undone. */
export function DeleteErrorsDialog({ errors, onClose, onDeleted }: DeleteDialogProps) {
  const { t } = useTranslation('errors-page');
  const remove = useDeleteErrors();
  const count = errors.length;
  const save = () =>
    remove.mutate(
      errors.map(({ id }) => id),
      {
        onSuccess: () => {
          onClose();
          onDeleted();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('delete.title', { count })}>
      <p>{t('delete.text', { count })}</p>
      {remove.error && (
        <Notice kind="error" className="mt-4" onRetry={save}>
          {remove.error.message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="danger" loading={remove.isPending} onClick={save}>
          {t('delete.submit', { count })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
