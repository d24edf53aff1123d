import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiInput } from '#contract/api.ts';
import type { ProjectIntake } from '#contract/intake.ts';
import { type ApiError, api } from '../../api.ts';
import { apiQuery } from '../../api-query.ts';

type Changes = ApiInput<'PATCH /projects/:id/intake'>['body'];

/** Time between reads while the first event is awaited, so that it shows without a reload. */
const WAITING_INTERVAL_MS = 4_000;

const queryOf = (id: string) => apiQuery('GET /projects/:id/intake', { params: { id } });

/** The error intake of a project; read again while no event has come. */
export function useIntake(projectId: string) {
  return useQuery({
    ...queryOf(projectId),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.enabled && !state.data.last_event_at ? WAITING_INTERVAL_MS : false,
  });
}

/** Changes of the intake; each replaces what is shown by the reply. */
export function useIntakeChanges(projectId: string) {
  const client = useQueryClient();
  const params = { id: projectId };
  const { queryKey } = queryOf(projectId);
  const onSuccess = (data: ProjectIntake) => client.setQueryData(queryKey, data);
  return {
    create: useMutation<ProjectIntake, ApiError, void>({
      mutationFn: () => api('POST /projects/:id/intake', { params }),
      onSuccess,
    }),
    rotate: useMutation<ProjectIntake, ApiError, void>({
      mutationFn: () => api('POST /projects/:id/intake/key', { params }),
      onSuccess,
    }),
    update: useMutation<ProjectIntake, ApiError, Changes>({
      mutationFn: (body) => api('PATCH /projects/:id/intake', { params, body }),
      onSuccess,
    }),
    test: useMutation({
      mutationFn: () => api('POST /projects/:id/intake/test', { params }),
      onSuccess: () => client.invalidateQueries({ queryKey }),
    }),
  };
}

export type IntakeChanges = ReturnType<typeof useIntakeChanges>;
