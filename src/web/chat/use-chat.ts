import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { Attachment, ChatEvents } from '#contract/chat.ts';
import { api } from '../api.ts';
import { readBranchChoice } from '../parts/working-branch.tsx';
import { type ChatEntry, conversationReducer, EMPTY_CONVERSATION, storedCount } from './conversation.ts';
import type { ChatOptions } from './use-chat-options.ts';

const PAGE_SIZE = 50;

/** Progress step of an answer. */
export type ChatStep = ChatEvents['step'];

/** State and actions of a chat thread; without an id, of the newest thread. */
export function useChat(projectId: string, thread: string | undefined, onStored: () => void) {
  const [conversation, apply] = useReducer(conversationReducer, EMPTY_CONVERSATION);
  const stored = storedCount(conversation);
  const {
    loading,
    failure,
    loadOlder,
    showAgain: reload,
  } = useMessagePages(projectId, thread, stored, apply);
  const onDone = (isBranch: boolean) => {
    onStored();
    return isBranch ? reload() : undefined;
  };
  const { steps, send, regenerate, stop } = useSendMessage(projectId, thread, apply, onDone);

  const clear = async () => {
    await api('DELETE /chat/projects/:id/messages', { params: { id: projectId } });
    apply({ type: 'cleared' });
    onStored();
  };
  const remove = (id: string) => apply({ type: 'removed', id });
  const showBranch = async (threadId: string, branch: string) => {
    const params = { id: projectId, thread: threadId };
    await api('PUT /chat/projects/:id/threads/:thread', { params, body: { head: branch } });
    await reload();
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

type Dispatch = (what: Parameters<typeof conversationReducer>[1]) => void;

/** Loads the newest page, then older ones; `stored` is the number of loaded messages. */
function useMessagePages(projectId: string, thread: string | undefined, stored: number, apply: Dispatch) {
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<string | null>(null);
  const load = useCallback(
    async (skip: number, { signal, replace = false }: { signal?: AbortSignal; replace?: boolean } = {}) => {
      setLoading(true);
      setFailure(null);
      try {
        const query = { skip: String(skip), limit: String(PAGE_SIZE), thread };
        const page = await api(
          'GET /chat/projects/:id/messages',
          { params: { id: projectId }, query },
          signal ? { signal } : {},
        );
        apply({ type: replace ? 'replaced' : 'loaded', messages: page.messages, hasMore: page.has_more });
      } catch (error) {
        if (!signal?.aborted) setFailure(errorText(error));
      }
      if (!signal?.aborted) setLoading(false);
    },
    [projectId, thread, apply],
  );
  useEffect(() => {
    const controller = new AbortController();
    void load(0, { signal: controller.signal });
    return () => controller.abort();
  }, [load]);
  return { loading, failure, loadOlder: () => load(stored), showAgain: () => load(0, { replace: true }) };
}

/** Target of an edit: the new message becomes a child of `parent`, a sibling of `id`. */
export interface EditTarget {
  id: string;
  parent: string | null;
}

/** Sources of an answer, and the name of its revision; null for the indexed commit. */
type AnswerOptions = ChatOptions & { revision: string | null };

/** Without a revision, an answer is asked for again at its own. */
type RegenerateOptions = ChatOptions & { revision?: string | null | undefined };

/** A question with its uploaded files. */
interface Question {
  message: string;
  attachments: Attachment[];
}

/** Sends one question at a time. Unmounting aborts the running request. */
function useSendMessage(
  projectId: string,
  thread: string | undefined,
  apply: Dispatch,
  onDone: (isBranch: boolean) => unknown,
) {
  const [steps, setSteps] = useState<ChatStep[] | null>(null);
  const activeRequest = useRef<AbortController | null>(null);
  useEffect(() => () => activeRequest.current?.abort(), []);

  const run = async (
    key: string,
    isBranch: boolean,
    call: (options: {
      signal: AbortSignal;
      onEvent: (name: string, data: unknown) => void;
    }) => Promise<Reply>,
  ) => {
    const controller = new AbortController();
    activeRequest.current = controller;
    setSteps([{ step: 'retrieving' }]);
    const onEvent = (name: string, data: unknown) => {
      if (name === 'step') setSteps((before) => [...(before ?? []), data as ChatStep]);
      if (name === 'text') {
        apply({
          type: 'text_received',
          key,
          text: (data as ChatEvents['text']).text,
          at: new Date().toISOString(),
        });
      }
    };
    try {
      const reply = await call({ signal: controller.signal, onEvent });
      apply({ type: 'reply_received', key, reply, at: new Date().toISOString() });
      await onDone(isBranch);
    } catch (error) {
      apply(
        controller.signal.aborted
          ? { type: 'stopped', key }
          : { type: 'failed', key, failure: errorText(error) },
      );
    }
    activeRequest.current = null;
    setSteps(null);
  };

  const send = async ({ message, attachments }: Question, options: AnswerOptions, edit?: EditTarget) => {
    if (activeRequest.current) return;
    const key = createPendingKey();
    if (edit) apply({ type: 'truncated', id: edit.id });
    apply({ type: 'question_sent', key, text: message, attachments, at: new Date().toISOString() });
    const ids = attachments.map(({ id }) => id);
    const branch = { attachments: ids, ...(edit && { parent_id: edit.parent }) };
    const working_branch = readBranchChoice(projectId);
    const body = { message, project_id: projectId, thread_id: thread, working_branch, ...options, ...branch };
    await run(key, edit !== undefined, (how) =>
      api('POST /chat/projects/:id/messages', { params: { id: projectId }, body }, how),
    );
  };

  const regenerate = async (answer: ChatEntry, { revision, ...options }: RegenerateOptions) => {
    if (activeRequest.current) return;
    apply({ type: 'truncated', id: answer.id });
    const params = { id: projectId, message: answer.id };
    await run(createPendingKey(), true, (how) =>
      api(
        'POST /chat/projects/:id/messages/:message/regenerate',
        {
          params,
          body: {
            ...options,
            working_branch: readBranchChoice(projectId),
            revision: revision === undefined ? answer.freshness?.revision?.name : revision,
          },
        },
        how,
      ),
    );
  };

  return { steps, send, regenerate, stop: () => activeRequest.current?.abort() };
}

type Reply = Awaited<ReturnType<typeof api<'POST /chat/projects/:id/messages'>>>;

function createPendingKey(): string {
  return `sending-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
