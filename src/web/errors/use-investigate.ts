import { useMutation } from '@tanstack/react-query';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { api } from '../api.ts';
import { useErrorRefresh } from '../parts/use-error-changes.ts';

/** Investigates an error now that waits for its first answer, before all others of its project. */
export function useInvestigate() {
  const refresh = useErrorRefresh();
  return useMutation({
    mutationFn: async ({ project_id, id }: Pick<ErrorGroup, 'project_id' | 'id'>) => {
      const params = { id: project_id, error: id };
      await api('POST /projects/:id/errors/:error/investigation', { params, body: undefined });
      await refresh();
    },
  });
}
