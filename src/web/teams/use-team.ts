import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../api.ts';
import { apiQuery } from '../api-query.ts';

/** A team with its members and projects. */
export function useTeam(id: string) {
  return useQuery({ ...apiQuery('GET /teams/:id', { params: { id } }), staleTime: 0 });
}

/** Mutation of a team; reloads it and every list that its access changes. */
export function useTeamChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: change,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['GET /teams/:id'] });
      await client.invalidateQueries({ queryKey: ['GET /teams'] });
      await client.invalidateQueries({ queryKey: apiQuery('GET /projects').queryKey });
    },
  });
}
