import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { accountKeys } from './query-keys.ts';

/** Creates the query cache. Transient errors are retried twice, others never. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    // Many mutations add an entry to the security log, which may be on the same page.
    mutationCache: new MutationCache({
      onSuccess: () => void client.invalidateQueries({ queryKey: accountKeys.securityLog }),
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
