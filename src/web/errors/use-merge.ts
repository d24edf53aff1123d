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

/** Fingerprints, or one event, that become an error of their own. */
type Split = { keys: string[] } | { event: string };

/** Splits a part of an error off, with Undo in a toast. */
export function useSplit(projectId: string, errorId: string) {
  const { t } = useTranslation('errors-page');
  const refresh = useErrorRefresh();
  const toast = useToast();
  return useMutation({
    mutationFn: async (body: Split) => {
      const params = { id: projectId, error: errorId };
      const reply = await api('POST /projects/:id/errors/:error/split', { params, body });
      await refresh();
      return reply;
    },
    onSuccess: ({ id, keys }, split) => {
      const onUndo = async () => {
        const params = { id: projectId, error: errorId };
        await api('POST /projects/:id/errors/:error/merge', { params, body: { errors: [id] } });
        await refresh();
      };
      toast('event' in split ? t('split.done_event') : t('split.done', { count: keys.length }), {
        link: { to: `/projects/${projectId}/errors/${id}`, text: t('split.open') },
        onUndo,
      });
    },
  });
}
