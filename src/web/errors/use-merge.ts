import { useMutation } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { useErrorRefresh } from '../parts/use-error-changes.ts';
import { useToast } from '../ui/toast.tsx';

interface Merge {
  projectId: string;
  /** Error that gets the fingerprints of the others. */
  into: string;
  errors: string[];
}

/** Merges errors of a project, with Undo in a toast. */
export function useMerge() {
  const { t } = useTranslation('errors-page');
  const refresh = useErrorRefresh();
  const toast = useToast();
  return useMutation({
    mutationFn: async ({ projectId, into, errors }: Merge) => {
      const params = { id: projectId, error: into };
      const reply = await api('POST /projects/:id/errors/:error/merge', { params, body: { errors } });
      await refresh();
      return reply;
    },
    onSuccess: ({ merged }, { projectId, into }) => {
      const params = { id: projectId, error: into };
      const onUndo = async () => {
        for (const { id, keys } of merged)
          await api('POST /projects/:id/errors/:error/split', { params, body: { keys, into: id } });
        await refresh();
      };
      toast(t('merge.done', { count: merged.length }), { onUndo });
    },
  });
}

/** Splits fingerprints of an error off into one of their own, with Undo in a toast. */
export function useSplit(projectId: string, errorId: string) {
  const { t } = useTranslation('errors-page');
  const refresh = useErrorRefresh();
  const toast = useToast();
  return useMutation({
    mutationFn: async (keys: string[]) => {
      const params = { id: projectId, error: errorId };
      const reply = await api('POST /projects/:id/errors/:error/split', { params, body: { keys } });
      await refresh();
      return reply;
    },
    onSuccess: ({ id, keys }) => {
      const onUndo = async () => {
        const params = { id: projectId, error: errorId };
        await api('POST /projects/:id/errors/:error/merge', { params, body: { errors: [id] } });
        await refresh();
      };
      toast(t('split.done', { count: keys.length }), {
        link: { to: `/projects/${projectId}/errors/${id}`, text: t('split.open') },
        onUndo,
      });
    },
  });
}
