import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { downloadFile } from '../parts/download-file.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';
import type { BranchDialogProps } from './branch-dialogs.tsx';
import { useBranchesChanged } from './use-branches.ts';

/** Renames a branch. */
export function RenameBranchDialog({ project, branch, onClose }: BranchDialogProps) {
  const { t } = useTranslation('branches');
  const changed = useBranchesChanged();
  const [name, setName] = useState(branch.name);
  const rename = useMutation({
    mutationFn: () =>
      api('PATCH /projects/:id/branches/:branch', {
        params: { id: project.id, branch: branch.name },
        body: { name: name.trim() },
      }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('rename.title')}>
      <form onSubmit={submit}>
        <Field
          label={t('rename.name')}
          hint={branch.pushed ? t('rename.pushed', { target: branch.pushed.target }) : undefined}
          error={rename.error?.message}
        >
          <Input
            className="font-mono"
            value={name}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            loading={rename.isPending}
            disabled={name.trim() === '' || name.trim() === branch.name}
          >
            {t('rename.confirm')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Deletes a branch after saying which commits are lost. */
export function DeleteBranchDialog({ project, branch, onClose }: BranchDialogProps) {
  const { t } = useTranslation('branches');
  const changed = useBranchesChanged();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () =>
      api('DELETE /projects/:id/branches/:branch', {
        params: { id: project.id, branch: branch.name },
        query: { head: branch.head },
      }),
    onSuccess: async () => {
      await changed();
      toast(t('delete.done', { name: branch.name }));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('delete.title')}>
      <p className="wrap-anywhere">
        {branch.unpushed === 0
          ? t('delete.pushed', { name: branch.name })
          : t('delete.lost', { name: branch.name, count: branch.unpushed ?? branch.ahead ?? 0 })}
      </p>
      {remove.error && (
        <Notice kind="error" className="mt-4" onRetry={() => remove.mutate()}>
          {remove.error.message}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="danger" loading={remove.isPending} onClick={() => remove.mutate()}>
          {t('delete.confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const FORMATS = [
  ['mbox', 'patch', (file: string) => `git am ${file}`],
  ['diff', 'diff', (file: string) => `git apply ${file}`],
  ['bundle', 'bundle', (file: string) => `git fetch ${file} 'refs/heads/*:refs/heads/*'`],
] as const;

/** Downloads of a branch, each with the command that reads it. */
export function ExportDialog({ project, branch, onClose }: BranchDialogProps) {
  const { t } = useTranslation('branches');
  const name = branch.name.replace(/[^A-Za-z0-9._-]+/g, '-');
  const download = useMutation({
    mutationFn: ({ format, file }: { format: string; file: string }) =>
      downloadFile(
        `/projects/${project.id}/branches/${encodeURIComponent(branch.name)}/patch?format=${format}`,
        file,
      ),
  });
  return (
    <Dialog open onClose={onClose} title={t('export_dialog.title')} description={t('export_dialog.lead')}>
      <ul className="flex flex-col border-t border-border">
        {FORMATS.map(([format, extension, command]) => {
          const file = `${name}.${extension}`;
          return (
            <li key={format} className="flex flex-col gap-1 border-b border-border py-3">
              <div className="flex items-center gap-3">
                <span className="flex-1">{t(`export_dialog.${format}`)}</span>
                <Button onClick={() => download.mutate({ format, file })}>
                  {t('export_dialog.download')}
                </Button>
              </div>
              <div className="flex items-center gap-2">
                <code className="min-w-0 flex-1 truncate font-mono text-sm text-muted">{command(file)}</code>
                <CopyButton text={command(file)} />
              </div>
            </li>
          );
        })}
      </ul>
      {download.error && (
        <Notice kind="error" className="mt-4">
          {download.error.message}
        </Notice>
      )}
    </Dialog>
  );
}
