import { expect, test } from 'vitest';
import {
  type Conversation,
  type ConversationAction,
  conversationReducer,
  EMPTY_CONVERSATION,
  newestAnswer,
  storedCount,
} from './conversation.ts';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const message = (id: string, second: number, role: 'user' | 'assistant' = 'user') => ({
  id,
  role,
  content: `Text of ${id}`,
  status: 'done' as const,
  created_at: at(second),
});
const after = (...changes: ConversationAction[]): Conversation =>
  changes.reduce(conversationReducer, EMPTY_CONVERSATION);
const ids = ({ entries }: Conversation) => entries.map(({ id }) => id);

const LOADED: ConversationAction = {
  type: 'loaded',
  messages: [message('m3', 3), message('m4', 4, 'assistant')],
  hasMore: true,
};
const QUESTION_SENT: ConversationAction = {
  type: 'question_sent',
  key: 'temp',
  text: 'Why?',
  attachments: [],
  at: at(5),
};
const REPLY_RECEIVED: ConversationAction = {
  type: 'reply_received',
  key: 'temp',
  reply: {
    ...{ response: 'Because.', id: 'a', user_message_id: 'q', thread_id: 't' },
    freshness: { commit: 'c', branch: 'main', behind: 2, fetched_at: null },
    readings: [{ text: 'Who wrote a.ts?', question: 'Who wrote `a.ts`?' }],
    ...{ model: 'm', model_source: 'own', input_tokens: 1, output_tokens: 2 },
    ...{ steps: [{ tool: 'search_index', query: 'Why?', results: 3, ms: 4 }], context: null },
  },
  at: at(6),
};

test('an older page is prepended without duplicates', () => {
  const older: ConversationAction = {
    type: 'loaded',
    messages: [message('m1', 1), message('m3', 3)],
    hasMore: false,
  };
  const conversation = after(LOADED, older);
  expect(ids(conversation)).toEqual(['m1', 'm3', 'm4']);
  expect(conversation.hasMore).toBe(false);
});

test('a question is shown immediately; its id is replaced and the answer appended', () => {
  expect(after(LOADED, QUESTION_SENT).entries.at(-1)).toMatchObject({ id: 'temp', state: 'sending' });
  const conversation = after(LOADED, QUESTION_SENT, REPLY_RECEIVED);
  expect(ids(conversation)).toEqual(['m3', 'm4', 'q', 'a']);
  expect(conversation.entries.at(-1)).toMatchObject({
    content: 'Because.',
    state: 'stored',
    freshness: { behind: 2 },
    readings: [{ question: 'Who wrote `a.ts`?' }],
    modelRun: { model: 'm', source: 'own' },
    steps: [{ results: 3 }],
  });
  expect(newestAnswer(conversation)).toBe('a');
});

test('the answer grows while it streams and is replaced by the complete one', () => {
  const textReceived = (text: string): ConversationAction => ({
    type: 'text_received',
    key: 'temp',
    text,
    at: at(6),
  });
  const streaming = after(QUESTION_SENT, textReceived('Be'), textReceived('cause'));
  expect(streaming.entries.at(-1)).toMatchObject({ content: 'Because', state: 'streaming' });
  expect(ids(conversationReducer(streaming, REPLY_RECEIVED))).toEqual(['q', 'a']);
});

test('a failed question stays with its error and can be removed', () => {
  const failed = after(
    QUESTION_SENT,
    { type: 'text_received', key: 'temp', text: 'Be', at: at(6) },
    {
      type: 'failed',
      key: 'temp',
      failure: 'The language model is busy.',
    },
  );
  expect(failed.entries).toMatchObject([
    { id: 'temp', state: 'failed', failure: 'The language model is busy.' },
  ]);
  expect(ids(conversationReducer(failed, { type: 'removed', id: 'temp' }))).toEqual([]);
});

test('a stopped answer keeps its streamed text', () => {
  const stopped = after(
    QUESTION_SENT,
    { type: 'text_received', key: 'temp', text: 'Be', at: at(6) },
    { type: 'stopped', key: 'temp' },
  );
  expect(stopped.entries).toMatchObject([{ state: 'stopped' }, { content: 'Be', state: 'stopped' }]);
});

test('an answer stopped before its first token is shown as empty', () => {
  const stopped = after(QUESTION_SENT, { type: 'stopped', key: 'temp' });
  expect(stopped.entries).toMatchObject([
    { role: 'user', state: 'stopped' },
    { role: 'assistant', content: '', state: 'stopped' },
  ]);
});

test('the next older page starts after the stored messages', () => {
  const conversation = after(LOADED, QUESTION_SENT, { type: 'failed', key: 'temp', failure: 'no' });
  expect(storedCount(conversation)).toBe(2);
});

test('clearing removes all messages and has no more to load', () => {
  expect(after(LOADED, { type: 'cleared' })).toEqual({ entries: [], hasMore: false });
});

test('a branch replaces the former messages and lists its siblings', () => {
  const truncated = after(LOADED, { type: 'truncated', id: 'm4' });
  expect(ids(truncated)).toEqual(['m3']);
  expect(ids(conversationReducer(truncated, { type: 'truncated', id: 'gone' }))).toEqual(['m3']);
  const other = { ...message('m5', 5, 'assistant'), parent_id: 'm3', siblings: ['m4', 'm5'], model: 'x:y' };
  const replaced = conversationReducer(truncated, {
    type: 'replaced',
    messages: [message('m3', 3), other],
    hasMore: false,
  });
  expect(replaced.entries.at(-1)).toMatchObject({
    parent: 'm3',
    branches: ['m4', 'm5'],
    modelRun: { model: 'x:y', input: null, output: null },
  });
});
