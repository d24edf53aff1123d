import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { FunctionChange } from '#contract/code.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';

interface FunctionHistory {
  query: UseQueryResult<ApiReply<'GET /projects/:id/functions/*'>, ApiError>;
  /** All changes, or those that were found so far; newest first. */
  changes: FunctionChange[];
}

/** History of a function, whose changes come while older ones are looked for. */
export function useFunctionHistory(projectId: string, path: string, name: string): FunctionHistory {
  const [found, setFound] = useState<FunctionChange[]>([]);
  const input = { params: { id: projectId, '*': path }, query: { name } };
  const query = useQuery({
    ...apiQuery('GET /projects/:id/functions/*', input),
    queryFn: async ({ signal }) => {
      setFound([]);
      const onEvent = (event: string, data: unknown) => {
        if (event === 'changes')
          setFound((before) => [...before, ...(data as { changes: FunctionChange[] }).changes]);
      };
      return await api('GET /projects/:id/functions/*', input, { signal, onEvent });
    },
    staleTime: 60_000,
  });
  return { query, changes: query.data?.changes ?? found };
}
