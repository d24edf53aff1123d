import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { debugSessionKeys, errorKeys } from '../query-keys.ts';
import { useToast } from '../ui/toast.tsx';

/** Errors that one call deletes. */
const MAX_DELETED = 200;

/** Deletes errors with their events and answers. */
export function useDeleteErrors() {
  const { t } = useTranslation('errors-page');
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: async (ids: string[]) => {
      for (let start = 0; start < ids.length; start += MAX_DELETED) {
        const errors = ids.slice(start, start + MAX_DELETED);
        await api('POST /errors/delete', { body: { errors } });
      }
    },
    onSuccess: (_reply, ids) => {
      toast(t('delete.done', { count: ids.length }));
      // The page of a deleted error is left, not loaded again.
      for (const queryKey of [...errorKeys.lists, debugSessionKeys.all])
        void client.invalidateQueries({ queryKey });
    },
  });
}
