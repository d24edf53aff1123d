import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ChatEvents } from '#contract/chat.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { chatKeys } from '../query-keys.ts';
import type { Session } from './answer.tsx';

const PAGE_SIZE = 100;
/** Number of initial messages that the page shows elsewhere: the error and its answer. */
const INITIAL_MESSAGES = 2;

/** A pending question with its streamed answer, or its error. */
export interface PendingQuestion {
  question: string;
  text: string;
  step: ChatEvents['step'];
  failure: string | null;
}

/** Follow-up thread of a debug session. Unmounting aborts the running request. */
export function useFollowUp(session: Session) {
  const client = useQueryClient();
  const [thread, setThread] = useState(session.thread_id);
  const [pending, setPending] = useState<PendingQuestion | null>(null);
  const activeRequest = useRef<AbortController | null>(null);
  useEffect(() => () => activeRequest.current?.abort(), []);
  const params = { id: session.project_id };
  const query = { limit: String(PAGE_SIZE), thread: thread ?? '' };
  const request = apiQuery('GET /chat/projects/:id/messages', { params, query });
  const messages = useQuery({ ...request, enabled: thread !== null });

  const ask = async (question: string) => {
    if (activeRequest.current) return;
    const controller = new AbortController();
    activeRequest.current = controller;
    setPending({ question, text: '', step: { step: 'retrieving' }, failure: null });
    const onEvent = (name: string, data: unknown) =>
      setPending((now) => {
        if (name === 'step') return now && { ...now, step: data as ChatEvents['step'] };
        return now && { ...now, text: now.text + (data as ChatEvents['text']).text };
      });
    try {
      const id = thread ?? (await createThread());
      await api(
        'POST /chat/projects/:id/messages',
        { params, body: { message: question, thread_id: id } },
        { signal: controller.signal, onEvent },
      );
      await client.refetchQueries({ queryKey: chatKeys.messages });
      setPending(null);
    } catch (error) {
      await handleError(error, controller.signal.aborted);
    }
    activeRequest.current = null;
  };

  const createThread = async () => {
    const { id } = await api('POST /debug/sessions/:id/thread', { params: { id: session.id } });
    setThread(id);
    return id;
  };

  /** A stopped answer is stored by the server a moment later. */
  const handleError = async (error: unknown, wasStopped: boolean) => {
    if (!wasStopped) {
      const failure = error instanceof Error ? error.message : String(error);
      return setPending((now) => now && { ...now, failure });
    }
    setPending(null);
    await client.invalidateQueries({ queryKey: chatKeys.messages });
  };

  return {
    messages: messages.data?.messages.slice(messages.data.has_more ? 0 : INITIAL_MESSAGES) ?? [],
    failure: messages.error?.message ?? null,
    pending,
    ask,
    stop: () => activeRequest.current?.abort(),
    dismiss: () => setPending(null),
  };
}
