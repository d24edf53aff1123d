import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { projectKeys } from '../query-keys.ts';

/** Members and pending invitations of a project. */
export function useMembers(id: string) {
  return useQuery({ ...apiQuery('GET /projects/:id/members', { params: { id } }), staleTime: 0 });
}

/** Mutation of the members of a project; invalidates the list. */
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
