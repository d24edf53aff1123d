import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApiInput, ApiReply } from '#contract/api.ts';
import type { DebugEvents } from '#contract/debug.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { readBranchChoice } from '../parts/working-branch.tsx';
import { debugSessionKeys, errorKeys } from '../query-keys.ts';

export type DebugRequest = ApiInput<'POST /debug'>['body'];

/** Progress step of a debug request. */
export type DebugStep = DebugEvents['step']['step'];

/**
 * Sends a debug request with progress events and opens the session of its answer. Unmounting or `stop` aborts the
 * request; nothing is stored then.
 */
export function useDebugRequest() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [step, setStep] = useState<DebugStep | null>(null);
  const [findings, setFindings] = useState<DebugEvents['findings'] | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const ask = useMutation<ApiReply<'POST /debug'>, ApiError, DebugRequest>({
    mutationFn: (body) => {
      controller.current = new AbortController();
      setStep('retrieving');
      setFindings(null);
      const onEvent = (name: string, data: unknown) => {
        if (name === 'step') setStep((data as DebugEvents['step']).step);
        if (name === 'findings') setFindings(data as DebugEvents['findings']);
      };
      const working_branch = readBranchChoice(body.project_id);
      return api(
        'POST /debug',
        { body: { ...body, working_branch } },
        { signal: controller.current.signal, onEvent },
      );
    },
    onSuccess: async (answer) => {
      await client.invalidateQueries({ queryKey: debugSessionKeys.all });
      await client.invalidateQueries({ queryKey: errorKeys.all });
      await client.prefetchQuery(apiQuery('GET /debug/sessions/:id', { params: { id: answer.id } }));
      await navigate(`/debug/${answer.id}`);
    },
    onSettled: () => setStep(null),
  });
  const stop = () => {
    controller.current?.abort();
    ask.reset();
    setStep(null);
  };
  return { ...ask, step, findings, stop };
}
