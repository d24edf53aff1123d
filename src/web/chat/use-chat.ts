import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { ChatEvents } from '#contract/chat.ts';
import { api } from '../api.ts';
import { change, type Entry, NOTHING_YET, storedCount } from './conversation.ts';
import type { ChatOptions } from './options.ts';

const PAGE = 50;

/** What is being done for an answer. */
export type Step = ChatEvents['step'];

/** A thread of the reader's chat about a project: its messages, and what can be done with them. No id: the newest thread. */
export function useChat(projectId: string, thread: string | undefined, onStored: () => void) {
  const [conversation, apply] = useReducer(change, NOTHING_YET);
  const stored = storedCount(conversation);
  const { loading, failure, loadOlder, showAgain } = usePages(projectId, thread, stored, apply);
  const onDone = (isBranch: boolean) => {
    onStored();
    return isBranch ? showAgain() : undefined;
  };
  const { steps, send, regenerate, stop } = useSending(projectId, thread, apply, onDone);

  const clear = async () => {
    await api('DELETE /chat/projects/:id/messages', { params: { id: projectId } });
    apply({ type: 'cleared' });
    onStored();
  };
  const remove = (id: string) => apply({ type: 'removed', id });
  const showBranch = async (threadId: string, branch: string) => {
    const params = { id: projectId, thread: threadId };
    await api('PUT /chat/projects/:id/threads/:thread', { params, body: { branch } });
    await showAgain();
  };
  return {
    conversation,
    loading,
    failure,
    loadOlder,
    steps,
    send,
    regenerate,
    stop,
    clear,
    remove,
    showBranch,
  };
}

type Apply = (what: Parameters<typeof change>[1]) => void;

/** Loads the newest page at first, then older ones; `stored` messages are already there. */
function usePages(projectId: string, thread: string | undefined, stored: number, apply: Apply) {
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<string | null>(null);
  const load = useCallback(
    async (skip: number, { signal, anew = false }: { signal?: AbortSignal; anew?: boolean } = {}) => {
      setLoading(true);
      setFailure(null);
      try {
        const query = { skip: String(skip), limit: String(PAGE), thread };
        const page = await api(
          'GET /chat/projects/:id/messages',
          { params: { id: projectId }, query },
          signal ? { signal } : {},
        );
        apply({ type: anew ? 'shown' : 'loaded', messages: page.messages, hasMore: page.has_more });
      } catch (error) {
        if (!signal?.aborted) setFailure(wordsOf(error));
      }
      if (!signal?.aborted) setLoading(false);
    },
    [projectId, thread, apply],
  );
  useEffect(() => {
    const left = new AbortController();
    void load(0, { signal: left.signal });
    return () => left.abort();
  }, [load]);
  return { loading, failure, loadOlder: () => load(stored), showAgain: () => load(0, { anew: true }) };
}

/** A question that is edited: it follows `parent`, beside the message that stood there. */
export interface Edit {
  id: string;
  parent: string | null;
}

/** Sends one question at a time. Leaving the page stops an answer that is being written. */
function useSending(
  projectId: string,
  thread: string | undefined,
  apply: Apply,
  onDone: (isBranch: boolean) => unknown,
) {
  const [steps, setSteps] = useState<Step[] | null>(null);
  const sending = useRef<AbortController | null>(null);
  useEffect(() => () => sending.current?.abort(), []);

  const run = async (
    key: string,
    isBranch: boolean,
    call: (options: {
      signal: AbortSignal;
      onEvent: (name: string, data: unknown) => void;
    }) => Promise<Reply>,
  ) => {
    const stopped = new AbortController();
    sending.current = stopped;
    setSteps([{ step: 'reading' }]);
    const onEvent = (name: string, data: unknown) => {
      if (name === 'step') setSteps((before) => [...(before ?? []), data as Step]);
      if (name === 'text') {
        apply({ type: 'wrote', key, text: (data as ChatEvents['text']).text, at: new Date().toISOString() });
      }
    };
    try {
      const reply = await call({ signal: stopped.signal, onEvent });
      apply({ type: 'answered', key, reply, at: new Date().toISOString() });
      await onDone(isBranch);
    } catch (error) {
      apply(
        stopped.signal.aborted ? { type: 'stopped', key } : { type: 'failed', key, failure: wordsOf(error) },
      );
    }
    sending.current = null;
    setSteps(null);
  };

  const send = async (message: string, options: ChatOptions, edit?: Edit) => {
    if (sending.current) return;
    const key = newKey();
    if (edit) apply({ type: 'cut', id: edit.id });
    apply({ type: 'asked', key, text: message, at: new Date().toISOString() });
    const branch = edit && { parent_id: edit.parent };
    const body = { message, project_id: projectId, thread_id: thread, ...options, ...branch };
    await run(key, edit !== undefined, (how) =>
      api('POST /chat/projects/:id/messages', { params: { id: projectId }, body }, how),
    );
  };

  const regenerate = async (answer: Entry, options: ChatOptions) => {
    if (sending.current) return;
    apply({ type: 'cut', id: answer.id });
    const params = { id: projectId, message: answer.id };
    await run(newKey(), true, (how) =>
      api('POST /chat/projects/:id/messages/:message/regenerate', { params, body: options }, how),
    );
  };

  return { steps, send, regenerate, stop: () => sending.current?.abort() };
}

type Reply = Awaited<ReturnType<typeof api<'POST /chat/projects/:id/messages'>>>;

function newKey(): string {
  return `sending-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
