import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { ApiInput, ApiReply } from '#contract/api.ts';
import { type ApiError, api } from '../api.ts';
import { read } from '../query.ts';

export type DebugRequest = ApiInput<'POST /debug'>['body'];

/** Sends an error; its answer then has an address of its own, and the page goes there. */
export function useAsk() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation<ApiReply<'POST /debug'>, ApiError, DebugRequest>({
    mutationFn: (body) => api('POST /debug', { body }),
    onSuccess: async (answer) => {
      await client.invalidateQueries({ queryKey: ['GET /debug/sessions'] });
      await client.prefetchQuery(read('GET /debug/sessions/:id', { params: { id: answer.id } }));
      await navigate(`/debug/${answer.id}`);
    },
  });
}
