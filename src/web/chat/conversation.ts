import type { ApiReply } from '#contract/api.ts';
import type { AnswerStep, Attachment, ContextUse, OfferedReading } from '#contract/chat.ts';
import type { IndexFreshness } from '#contract/common.ts';
import type { ModelSource } from '#contract/own-models.ts';

type Message = ApiReply<'GET /chat/projects/:id/messages'>['messages'][number];

/** A displayed message: stored, or sent and not yet stored. */
export interface ChatEntry {
  id: string;
  role: Message['role'];
  content: string;
  created_at: string;
  state: 'stored' | 'sending' | 'streaming' | 'stopped' | 'failed';
  /** Error text of a failed message. */
  failure?: string;
  /** Parent message; null for the first, absent until stored. */
  parent?: string | null;
  /** Ids of the sibling messages in other branches, this one included. */
  branches?: string[];
  /** Model and token counts. */
  modelRun?: { model: string; source: ModelSource | null; input: number | null; output: number | null };
  /** Commit that the answer is about. */
  freshness?: IndexFreshness;
  /** Other readings of the question. */
  readings?: OfferedReading[];
  /** Searches and tool calls of an answer. */
  steps?: AnswerStep[];
  /** Context that an answer of a model took. */
  context?: ContextUse;
  /** Files of a question. */
  attachments?: Attachment[];
}

export interface Conversation {
  /** Oldest first. */
  entries: ChatEntry[];
  hasMore: boolean;
}

/** Actions of the reducer. A question and its streaming answer share `key`. */
export type ConversationAction =
  | { type: 'loaded'; messages: Message[]; hasMore: boolean }
  | { type: 'question_sent'; key: string; text: string; attachments: Attachment[]; at: string }
  | { type: 'text_received'; key: string; text: string; at: string }
  | { type: 'reply_received'; key: string; reply: ApiReply<'POST /chat/projects/:id/messages'>; at: string }
  | { type: 'stopped'; key: string }
  | { type: 'failed'; key: string; failure: string }
  | { type: 'removed'; id: string }
  /** All messages are replaced, after a change of branch or a regeneration. */
  | { type: 'replaced'; messages: Message[]; hasMore: boolean }
  /** A message and all after it are removed to make room for another branch. */
  | { type: 'truncated'; id: string }
  | { type: 'cleared' };

/** Initial state. */
export const EMPTY_CONVERSATION: Conversation = { entries: [], hasMore: false };

/** Reducer of a conversation. */
export function conversationReducer(conversation: Conversation, action: ConversationAction): Conversation {
  const { entries } = conversation;
  const update = (id: string, next: Partial<ChatEntry>) =>
    entries.map((entry) => (entry.id === id ? { ...entry, ...next } : entry));
  switch (action.type) {
    case 'loaded':
      return { entries: merge(action.messages, entries), hasMore: action.hasMore };
    case 'question_sent':
      return { ...conversation, entries: [...entries, pendingQuestion(action)] };
    case 'text_received': {
      const id = answerId(action.key);
      const known = entries.find((entry) => entry.id === id);
      if (known) return { ...conversation, entries: update(id, { content: known.content + action.text }) };
      return { ...conversation, entries: [...entries, pendingAnswer(action)] };
    }
    case 'reply_received':
      return { ...conversation, entries: applyReply(entries, action) };
    case 'stopped':
      return { ...conversation, entries: markStopped(entries, action.key) };
    case 'failed': {
      const updated = update(action.key, { state: 'failed', failure: action.failure });
      return { ...conversation, entries: updated.filter(({ id }) => id !== answerId(action.key)) };
    }
    case 'replaced':
      return { entries: merge(action.messages, []), hasMore: action.hasMore };
    case 'truncated': {
      const at = entries.findIndex(({ id }) => id === action.id);
      return at < 0 ? conversation : { ...conversation, entries: entries.slice(0, at) };
    }
    case 'removed':
      return { ...conversation, entries: entries.filter(({ id }) => id !== action.id) };
    case 'cleared':
      return { entries: [], hasMore: false };
  }
}

/** Number of stored messages: offset of the next older page. */
export function storedCount({ entries }: Conversation): number {
  return entries.filter(({ state }) => state === 'stored').length;
}

/** Id of the newest answer, which is expanded at first. */
export function newestAnswer({ entries }: Conversation): string | undefined {
  return entries.findLast(({ role }) => role === 'assistant')?.id;
}

/** Merges a page of older messages, each message once, in ascending order of time. */
function merge(messages: Message[], entries: ChatEntry[]): ChatEntry[] {
  const known = new Set(entries.map(({ id }) => id));
  const older = messages.filter(({ id }) => !known.has(id)).map(toEntry);
  return [...older, ...entries].sort((a, b) => a.created_at.localeCompare(b.created_at));
}

function toEntry(message: Message): ChatEntry {
  const { id, role, content, created_at, status, parent_id, siblings: branches } = message;
  const { freshness, readings, attachments } = message;
  return {
    ...{ id, role, content, created_at },
    state: status === 'stopped' ? 'stopped' : 'stored',
    parent: parent_id ?? null,
    ...(branches && { branches }),
    ...toRun(message),
    ...(freshness && { freshness }),
    ...(readings && { readings }),
    ...(attachments && { attachments }),
  };
}

/** Model, steps and context of an answer. */
function toRun({
  model,
  model_source: source = null,
  input_tokens: input = null,
  output_tokens: output = null,
  steps,
  context,
}: Pick<
  Message,
  'model' | 'model_source' | 'input_tokens' | 'output_tokens' | 'steps' | 'context'
>): Partial<ChatEntry> {
  return {
    ...(model && { modelRun: { model, source, input, output } }),
    ...(steps && { steps }),
    ...(context && { context }),
  };
}

/** Gives the temporary message its stored id and inserts the answer if it was not streamed. */
function applyReply(
  entries: ChatEntry[],
  { key, reply, at }: Extract<ConversationAction, { type: 'reply_received' }>,
): ChatEntry[] {
  const stored = entries
    .filter(({ id }) => id !== answerId(key))
    .map(
      (entry): ChatEntry =>
        entry.id === key ? { ...entry, id: reply.user_message_id, state: 'stored' } : entry,
    );
  const place = stored.findIndex(({ id }) => id === reply.user_message_id) + 1;
  return stored.toSpliced(place, 0, {
    id: reply.id,
    role: 'assistant',
    content: reply.response,
    created_at: at,
    state: 'stored',
    freshness: reply.freshness,
    readings: reply.readings,
    ...toRun(reply),
  });
}

/** Marks question and answer as stopped; adds an empty answer when none was streamed. */
function markStopped(entries: ChatEntry[], key: string): ChatEntry[] {
  const question = entries.find(({ id }) => id === key);
  const hasStarted = entries.some(({ id }) => id === answerId(key));
  const all =
    question && !hasStarted
      ? [...entries, pendingAnswer({ key, text: '', at: question.created_at })]
      : entries;
  return all.map(
    (entry): ChatEntry =>
      entry.id === key || entry.id === answerId(key) ? { ...entry, state: 'stopped' } : entry,
  );
}

function pendingQuestion({
  key,
  text,
  attachments,
  at,
}: Extract<ConversationAction, { type: 'question_sent' }>): ChatEntry {
  const files = attachments.length > 0 && { attachments };
  return { id: key, role: 'user', content: text, created_at: at, state: 'sending', ...files };
}

function pendingAnswer({ key, text, at }: { key: string; text: string; at: string }): ChatEntry {
  return { id: answerId(key), role: 'assistant', content: text, created_at: at, state: 'streaming' };
}

function answerId(key: string): string {
  return `${key}:answer`;
}
