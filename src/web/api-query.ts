import { queryOptions } from '@tanstack/react-query';
import type { ApiInput, ApiKey, ApiReply } from '#contract/api.ts';
import { type ApiError, api } from './api.ts';

type GetKey = Extract<ApiKey, `GET ${string}`>;
type GetInput<K extends GetKey> = Record<never, never> extends ApiInput<K> ? [ApiInput<K>?] : [ApiInput<K>];

/**
 * Options of `useQuery` for a GET call: `useQuery(apiQuery('GET /projects/:id', { params: { id } }))`.
 * The query key is the call's name and its input.
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
