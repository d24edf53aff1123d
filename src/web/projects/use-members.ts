import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { projectKeys } from '../query-keys.ts';

/** Members and open invitations of a project. */
export function useMembers(id: string) {
  return useQuery({ ...apiQuery('GET /projects/:id/members', { params: { id } }), staleTime: 0 });
}

/** A call that changes who is in a project; the list is read again after it. */
export function useMemberChange<Input, Result>(id: string, change: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: change,
    onSuccess: async () => {
      const queryKey = projectKeys.members(id);
      await client.invalidateQueries({ queryKey });
    },
  });
}
