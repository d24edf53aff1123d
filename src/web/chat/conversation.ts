import type { ApiReply } from '#contract/api.ts';
import type { IndexFreshness } from '#contract/common.ts';

type Message = ApiReply<'GET /chat/projects/:id/messages'>['messages'][number];

/** A message as it is shown: stored ones, and those that are still on their way or did not get there. */
export interface ChatEntry {
  id: string;
  role: Message['role'];
  content: string;
  created_at: string;
  state: 'stored' | 'sending' | 'writing' | 'stopped' | 'failed';
  /** Why it failed, in words. */
  failure?: string;
  /** The message that it follows; null for the first, absent while it is on its way. */
  parent?: string | null;
  /** Messages that stand in its place in other branches, itself among them. */
  branches?: string[];
  /** The model that wrote it, and what that took. */
  modelRun?: { model: string; input: number | null; output: number | null };
  /** Which commit the answer is about. */
  freshness?: IndexFreshness;
}

export interface Conversation {
  /** Oldest first. */
  entries: ChatEntry[];
  hasMore: boolean;
}

/** What can happen to a conversation. A question and the answer that is being written share their `key`. */
export type ConversationAction =
  | { type: 'loaded'; messages: Message[]; hasMore: boolean }
  | { type: 'asked'; key: string; text: string; at: string }
  | { type: 'wrote'; key: string; text: string; at: string }
  | { type: 'answered'; key: string; reply: ApiReply<'POST /chat/projects/:id/messages'>; at: string }
  | { type: 'stopped'; key: string }
  | { type: 'failed'; key: string; failure: string }
  | { type: 'removed'; id: string }
  /** Everything is loaded anew: another branch or another answer stands here now. */
  | { type: 'shown'; messages: Message[]; hasMore: boolean }
  /** A message and what follows it make room for another branch. */
  | { type: 'cut'; id: string }
  | { type: 'cleared' };

/** A conversation of which nothing is known yet. */
export const EMPTY_CONVERSATION: Conversation = { entries: [], hasMore: false };

/** The conversation after a change. */
export function conversationReducer(conversation: Conversation, action: ConversationAction): Conversation {
  const { entries } = conversation;
  const update = (id: string, next: Partial<ChatEntry>) =>
    entries.map((entry) => (entry.id === id ? { ...entry, ...next } : entry));
  switch (action.type) {
    case 'loaded':
      return { entries: merge(action.messages, entries), hasMore: action.hasMore };
    case 'asked':
      return { ...conversation, entries: [...entries, pendingQuestion(action)] };
    case 'wrote': {
      const id = answerId(action.key);
      const known = entries.find((entry) => entry.id === id);
      if (known) return { ...conversation, entries: update(id, { content: known.content + action.text }) };
      return { ...conversation, entries: [...entries, pendingAnswer(action)] };
    }
    case 'answered':
      return { ...conversation, entries: applyReply(entries, action) };
    case 'stopped':
      return { ...conversation, entries: markStopped(entries, action.key) };
    case 'failed': {
      const kept = update(action.key, { state: 'failed', failure: action.failure });
      return { ...conversation, entries: kept.filter(({ id }) => id !== answerId(action.key)) };
    }
    case 'shown':
      return { entries: merge(action.messages, []), hasMore: action.hasMore };
    case 'cut': {
      const at = entries.findIndex(({ id }) => id === action.id);
      return at < 0 ? conversation : { ...conversation, entries: entries.slice(0, at) };
    }
    case 'removed':
      return { ...conversation, entries: entries.filter(({ id }) => id !== action.id) };
    case 'cleared':
      return { entries: [], hasMore: false };
  }
}

/** How many of the messages shown the server has: where the next older page begins. */
export function storedCount({ entries }: Conversation): number {
  return entries.filter(({ state }) => state === 'stored').length;
}

/** The newest answer, which starts open however long it is. */
export function newestAnswer({ entries }: Conversation): string | undefined {
  return entries.findLast(({ role }) => role === 'assistant')?.id;
}

/** A page in front of what is shown, each message once, in ascending order of time. */
function merge(messages: Message[], shown: ChatEntry[]): ChatEntry[] {
  const known = new Set(shown.map(({ id }) => id));
  const older = messages.filter(({ id }) => !known.has(id)).map(toEntry);
  return [...older, ...shown].sort((a, b) => a.created_at.localeCompare(b.created_at));
}

function toEntry(message: Message): ChatEntry {
  const { id, role, content, created_at, status, parent_id, siblings: branches, model, freshness } = message;
  const { input_tokens: input = null, output_tokens: output = null } = message;
  return {
    ...{ id, role, content, created_at },
    state: status === 'stopped' ? 'stopped' : 'stored',
    parent: parent_id ?? null,
    ...(branches && { branches }),
    ...(model && { modelRun: { model, input, output } }),
    ...(freshness && { freshness }),
  };
}

/** The temporary message takes the id under which it was stored; the answer is appended where it was not yet shown. */
function applyReply(
  entries: ChatEntry[],
  { key, reply, at }: Extract<ConversationAction, { type: 'answered' }>,
): ChatEntry[] {
  const settled = entries
    .filter(({ id }) => id !== answerId(key))
    .map(
      (entry): ChatEntry =>
        entry.id === key ? { ...entry, id: reply.user_message_id, state: 'stored' } : entry,
    );
  const place = settled.findIndex(({ id }) => id === reply.user_message_id) + 1;
  return settled.toSpliced(place, 0, {
    id: reply.id,
    role: 'assistant',
    content: reply.response,
    created_at: at,
    state: 'stored',
    freshness: reply.freshness,
  });
}

/** What was written stays; where nothing was yet, an empty answer says that it was stopped. */
function markStopped(entries: ChatEntry[], key: string): ChatEntry[] {
  const asked = entries.find(({ id }) => id === key);
  const isBegun = entries.some(({ id }) => id === answerId(key));
  const all =
    asked && !isBegun ? [...entries, pendingAnswer({ key, text: '', at: asked.created_at })] : entries;
  return all.map(
    (entry): ChatEntry =>
      entry.id === key || entry.id === answerId(key) ? { ...entry, state: 'stopped' } : entry,
  );
}

function pendingQuestion({ key, text, at }: { key: string; text: string; at: string }): ChatEntry {
  return { id: key, role: 'user', content: text, created_at: at, state: 'sending' };
}

function pendingAnswer({ key, text, at }: { key: string; text: string; at: string }): ChatEntry {
  return { id: answerId(key), role: 'assistant', content: text, created_at: at, state: 'writing' };
}

function answerId(key: string): string {
  return `${key}:answer`;
}
