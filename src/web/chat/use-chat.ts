import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { ChatEvents } from '#contract/chat.ts';
import { api } from '../api.ts';
import { change, NOTHING_YET, storedCount } from './conversation.ts';
import type { ChatOptions } from './options.ts';

const PAGE = 50;

type Step = ChatEvents['step']['step'];

/** The reader's chat about a project: its messages, and what can be done with them. */
export function useChat(projectId: string) {
  const [conversation, apply] = useReducer(change, NOTHING_YET);
  const { loading, failure, loadOlder } = usePages(projectId, storedCount(conversation), apply);
  const { step, send, stop } = useSending(projectId, apply);

  const clear = async () => {
    await api('DELETE /chat/projects/:id/messages', { params: { id: projectId } });
    apply({ type: 'cleared' });
  };
  const remove = (id: string) => apply({ type: 'removed', id });

  return { conversation, loading, failure, loadOlder, step, send, stop, clear, remove };
}

type Apply = (what: Parameters<typeof change>[1]) => void;

/** Loads the newest page at first, then older ones; `stored` messages are already there. */
function usePages(projectId: string, stored: number, apply: Apply) {
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<string | null>(null);
  const load = useCallback(
    async (skip: number, signal?: AbortSignal) => {
      setLoading(true);
      setFailure(null);
      try {
        const query = { skip: String(skip), limit: String(PAGE) };
        const page = await api(
          'GET /chat/projects/:id/messages',
          { params: { id: projectId }, query },
          signal ? { signal } : {},
        );
        apply({ type: 'loaded', messages: page.messages, hasMore: page.has_more });
      } catch (error) {
        if (!signal?.aborted) setFailure(wordsOf(error));
      }
      if (!signal?.aborted) setLoading(false);
    },
    [projectId, apply],
  );
  useEffect(() => {
    const left = new AbortController();
    void load(0, left.signal);
    return () => left.abort();
  }, [load]);
  return { loading, failure, loadOlder: () => load(stored) };
}

/** Sends one question at a time. Leaving the page stops an answer that is being written. */
function useSending(projectId: string, apply: Apply) {
  const [step, setStep] = useState<Step | null>(null);
  const sending = useRef<AbortController | null>(null);
  useEffect(() => () => sending.current?.abort(), []);

  const send = async (message: string, options: ChatOptions) => {
    if (sending.current) return;
    const stopped = new AbortController();
    sending.current = stopped;
    const key = `sending-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
    apply({ type: 'asked', key, text: message, at: new Date().toISOString() });
    setStep('reading');
    const onEvent = (name: string, data: unknown) => {
      if (name === 'step') setStep((data as ChatEvents['step']).step);
      if (name === 'text') {
        apply({ type: 'wrote', key, text: (data as ChatEvents['text']).text, at: new Date().toISOString() });
      }
    };
    try {
      const reply = await api(
        'POST /chat/projects/:id/messages',
        { params: { id: projectId }, body: { message, project_id: projectId, ...options } },
        { signal: stopped.signal, onEvent },
      );
      apply({ type: 'answered', key, reply, at: new Date().toISOString() });
    } catch (error) {
      apply(
        stopped.signal.aborted ? { type: 'stopped', key } : { type: 'failed', key, failure: wordsOf(error) },
      );
    }
    sending.current = null;
    setStep(null);
  };

  return { step, send, stop: () => sending.current?.abort() };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
