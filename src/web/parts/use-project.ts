import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { projectKeys } from '../query-keys.ts';
import { isBusy } from './phases.ts';

/** Polling interval during indexing, in case the socket is down. */
const POLL_INTERVAL_MS = 10_000;

/** A project; the socket updates it in the cache. */
export function useProject(id: string) {
  return useQuery({
    ...apiQuery('GET /projects/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? POLL_INTERVAL_MS : false),
  });
}

/** All projects of the user, updated likewise. */
export function useProjects() {
  return useQuery({
    ...apiQuery('GET /projects'),
    refetchInterval: ({ state }) => (state.data?.some(isBusy) ? POLL_INTERVAL_MS : false),
  });
}

/** Fetches new commits and reindexes; retries after a failure. */
export function useRefreshProject(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /projects/:id/refresh', { params: { id } }),
    onSuccess: (project) => {
      client.setQueryData(projectKeys.detail(id), project);
      client.setQueryData(projectKeys.list, (projects) =>
        projects?.map((known) => (known.id === id ? project : known)),
      );
    },
  });
}
