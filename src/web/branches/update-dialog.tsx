import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { updateConflictsUrl } from '../parts/conflict-url.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import type { BranchDialogProps } from './branch-dialogs.tsx';
import { useBranchesChanged } from './use-branches.ts';

type Method = 'merge' | 'rebase';

/** Merges the default branch or rebases on it; conflicts open in the editor. */
export function UpdateDialog({ project, branch, onClose }: BranchDialogProps) {
  const { t } = useTranslation('branches');
  const changed = useBranchesChanged();
  const navigate = useNavigate();
  const [method, setMethod] = useState<Method>('merge');
  const update = useMutation({
    mutationFn: () =>
      api('POST /projects/:id/branches/:branch/update', {
        params: { id: project.id, branch: branch.name },
        body: { method, head: branch.head },
      }),
    onSuccess: async (seen) => {
      if (seen.state === 'conflicts') {
        await navigate(updateConflictsUrl(project.id, { branch: branch.name, method, seen }));
      } else await changed();
    },
  });
  const result = update.data?.state === 'conflicts' ? undefined : update.data;
  const methods = { merge: t('update.merge'), rebase: t('update.rebase') };
  return (
    <Dialog open onClose={onClose} title={t('update.title', { upstream: branch.upstream })}>
      {result ? (
        <Notice kind="success">
          {t(`update.${result.state}`, { name: branch.name, upstream: branch.upstream })}
        </Notice>
      ) : (
        <>
          <SegmentedControl
            legend={t('update.method')}
            options={methods}
            value={method}
            onChange={setMethod}
          />
          <p className="mt-2 text-sm text-muted">
            {t(`update.${method}_text`, { upstream: branch.upstream })} {t('update.conflicts_text')}
          </p>
        </>
      )}
      {update.error && (
        <Notice kind="error" className="mt-4" onRetry={() => update.reset()}>
          {update.error.message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t(result ? 'close' : 'cancel')}</Button>
        {!result && (
          <Button kind="primary" loading={update.isPending} onClick={() => update.mutate()}>
            {t(`update.${method}`)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
