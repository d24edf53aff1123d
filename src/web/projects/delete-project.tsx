import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';

/** Confirms the deletion of a project with all its data. */
export function DeleteProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => api('DELETE /projects/:id', { params: { id: project.id } }),
    onSuccess: async () => {
      await navigate('/projects');
      client.removeQueries({
        queryKey: projectKeys.detail(project.id),
      });
      toast(t('delete.done', { name: project.name }));
      await client.invalidateQueries({ queryKey: projectKeys.list });
    },
  });
  return (
    <Dialog open onClose={onClose} size="narrow" title={t('delete.title', { name: project.name })}>
      <p>{t('delete.text')}</p>
      {remove.error && (
        <Notice kind="error" className="mt-4">
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
