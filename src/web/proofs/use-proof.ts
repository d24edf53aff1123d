import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiReply } from '#contract/api.ts';
import type { ProofRequest } from '#contract/proofs.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { debugSessionKeys, proofKeys } from '../query-keys.ts';

/** Interval of a fallback for lost events while a proof runs. */
const POLL_MS = 5_000;

/** A proof; while it has not ended, events and a slow poll keep it up to date. */
export function useProof(id: string) {
  return useQuery({
    ...apiQuery('GET /proofs/:id', { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'queued' || data?.state === 'running' ? POLL_MS : false,
  });
}

/** Starts a proof of a session, which is then shown in its answer. */
export function useStartProof(sessionId: string, onStarted: () => void) {
  const client = useQueryClient();
  return useMutation<ApiReply<'POST /debug/:id/proofs'>, ApiError, ProofRequest>({
    mutationFn: (body) => api('POST /debug/:id/proofs', { params: { id: sessionId }, body }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: debugSessionKeys.details });
      onStarted();
    },
  });
}

/** Uploads the log of a bisection on another machine. */
export function useUploadLog(sessionId: string, onUploaded: () => void) {
  const client = useQueryClient();
  return useMutation<ApiReply<'POST /debug/:id/proofs/log'>, ApiError, { log: string; command: string }>({
    mutationFn: (body) => api('POST /debug/:id/proofs/log', { params: { id: sessionId }, body }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: debugSessionKeys.details });
      onUploaded();
    },
  });
}

/** Cancels a proof. */
export function useCancelProof(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('POST /proofs/:id/cancel', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: proofKeys.detail(id) }),
  });
}
