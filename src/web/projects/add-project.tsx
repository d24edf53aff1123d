import { useTranslation } from '../i18n.ts';
import { ConnectForm } from '../parts/connect-form.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Dialog that connects a repository and opens the new project. */
export function AddProjectDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('projects');
  return (
    <Dialog open onClose={onClose} title={t('add_dialog.title')} description={t('add_dialog.text')}>
      <ConnectForm
        hasDescription
        submitLabel={t('add_dialog.submit')}
        actions={<Button onClick={onClose}>{t('cancel')}</Button>}
      />
    </Dialog>
  );
}
