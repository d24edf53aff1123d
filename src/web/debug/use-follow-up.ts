import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ChatEvents } from '#contract/chat.ts';
import { api } from '../api.ts';
import { read } from '../query.ts';
import type { Session } from './answer.tsx';

const PAGE = 100;
/** The first exchange of the chat is the error and its answer, which the page shows already. */
const SHOWN_ABOVE = 2;

/** A question on its way: what was said so far, or why it failed. */
export interface Pending {
  question: string;
  text: string;
  step: ChatEvents['step'];
  failure: string | null;
}

/** The chat that follows up a session: what has been asked, and how to ask more. Leaving the page stops an answer. */
export function useFollowUp(session: Session) {
  const client = useQueryClient();
  const [thread, setThread] = useState(session.thread_id);
  const [pending, setPending] = useState<Pending | null>(null);
  const sending = useRef<AbortController | null>(null);
  useEffect(() => () => sending.current?.abort(), []);
  const params = { id: session.project_id };
  const query = { limit: String(PAGE), thread: thread ?? '' };
  const request = read('GET /chat/projects/:id/messages', { params, query });
  const messages = useQuery({ ...request, enabled: thread !== null });

  const ask = async (question: string) => {
    if (sending.current) return;
    const stopped = new AbortController();
    sending.current = stopped;
    setPending({ question, text: '', step: { step: 'reading' }, failure: null });
    const onEvent = (name: string, data: unknown) =>
      setPending((now) => {
        if (name === 'step') return now && { ...now, step: data as ChatEvents['step'] };
        return now && { ...now, text: now.text + (data as ChatEvents['text']).text };
      });
    try {
      const id = thread ?? (await begin());
      await api(
        'POST /chat/projects/:id/messages',
        { params, body: { message: question, thread_id: id } },
        { signal: stopped.signal, onEvent },
      );
      await client.refetchQueries({ queryKey: ['GET /chat/projects/:id/messages'] });
      setPending(null);
    } catch (error) {
      await settleFailure(error, stopped.signal.aborted);
    }
    sending.current = null;
  };

  const begin = async () => {
    const { id } = await api('POST /debug/sessions/:id/thread', { params: { id: session.id } });
    setThread(id);
    return id;
  };

  /** What was stopped is kept with what it said, a moment later. */
  const settleFailure = async (error: unknown, wasStopped: boolean) => {
    if (!wasStopped) {
      const failure = error instanceof Error ? error.message : String(error);
      return setPending((now) => now && { ...now, failure });
    }
    setPending(null);
    await client.invalidateQueries({ queryKey: ['GET /chat/projects/:id/messages'] });
  };

  return {
    messages: messages.data?.messages.slice(messages.data.has_more ? 0 : SHOWN_ABOVE) ?? [],
    failure: messages.error?.message ?? null,
    pending,
    ask,
    stop: () => sending.current?.abort(),
    forget: () => setPending(null),
  };
}
