import { MutationCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { ApiInput, ApiKey, ApiReply } from '#contract/api.ts';
import { ApiError, api } from './api.ts';

type GetKey = Extract<ApiKey, `GET ${string}`>;
type GetInput<K extends GetKey> = Record<never, never> extends ApiInput<K> ? [ApiInput<K>?] : [ApiInput<K>];

/**
 * A GET call as options for `useQuery`: `useQuery(read('GET /projects/:id', { params: { id } }))`.
 * Its key is the call's name and input, so `[name]` addresses all of them, as in `invalidateQueries`.
 */
export function apiQuery<K extends GetKey>(key: K, ...[input]: GetInput<K>) {
  const queryKey = input === undefined ? ([key] as const) : ([key, input] as const);
  return queryOptions<ApiReply<K>, ApiError>({
    queryKey,
    queryFn: ({ signal }) => (api as Call<K>)(key, input, { signal }),
  });
}

type Call<K extends GetKey> = (
  key: K,
  input: ApiInput<K> | undefined,
  options: { signal: AbortSignal },
) => Promise<ApiReply<K>>;

/** The cache of what the server said. Only failures that may pass by themselves are tried again, twice. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    // The security log, where it is on the page, notes much of what is changed beside it.
    mutationCache: new MutationCache({
      onSuccess: () => void client.invalidateQueries({ queryKey: ['GET /auth/events'] }),
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || isTransient(error)),
      },
    },
  });
  return client;
}

function isTransient(error: ApiError): boolean {
  return error.status === 0 || error.status === 503;
}
