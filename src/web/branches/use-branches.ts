import { useQueryClient } from '@tanstack/react-query';

/** Reads branches, pushes and pull requests again after a change. */
export function useBranchesChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ['GET /projects/:id/branches'] });
    await client.invalidateQueries({ queryKey: ['GET /projects/:id/pull-requests'] });
  };
}
