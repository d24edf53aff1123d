import { expect, test } from 'vitest';
import { failure, mount, setUpComponentBrowser } from './harness.ts';

setUpComponentBrowser();

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const message = (id: string, second: number, role = 'user') => ({
  ...{ id, role, content: `Text of ${id}`, status: 'done', created_at: at(second) },
});
const MESSAGES = 'GET /chat/projects/p/messages';
const SEND = 'POST /chat/projects/p/messages';
const page1 = { messages: [message('m1', 1), message('m2', 2, 'assistant')], has_more: false };
const OPTIONS = '{ use_chat_history: true, use_code_context: true }';

test('useChat loads the newest page, sends, and appends the answer', async () => {
  const reply = { response: 'Because.', id: 'a', user_message_id: 'q', thread_id: 't' };
  const { read } = await mount({ [MESSAGES]: page1, [SEND]: reply }, 'useChatOf');
  await expect.poll(() => read('it?.conversation.entries.length')).toBe(2);
  await read(`void it.send({ message: 'Why?', attachments: [] }, ${OPTIONS})`);
  await expect
    .poll(() => read('it.conversation.entries.map(({ id }) => id)'))
    .toEqual(['m1', 'm2', 'q', 'a']);
  await expect.poll(() => read('it.steps')).toBe(null);
});

test('useChat marks a failed question, which can be removed', async () => {
  const { read } = await mount({ [MESSAGES]: page1, [SEND]: failure(500) }, 'useChatOf');
  await expect.poll(() => read('it?.conversation.entries.length')).toBe(2);
  await read(`void it.send({ message: 'Why?', attachments: [] }, ${OPTIONS})`);
  await expect.poll(() => read('it.conversation.entries.at(-1).state')).toBe('failed');
  await read('it.remove(it.conversation.entries.at(-1).id)');
  await expect.poll(() => read('it.conversation.entries.length')).toBe(2);
});

test('useChat reports a failed load, and clears', async () => {
  let attempts = 0;
  const load = () => {
    attempts += 1;
    return attempts === 1 ? failure(500) : page1;
  };
  const replies = { [MESSAGES]: load, 'DELETE /chat/projects/p/messages': { deleted: 2 } };
  const { read } = await mount(replies, 'useChatOf');
  await expect.poll(() => read('it?.failure')).toBeTruthy();
  await read('void it.loadOlder()');
  await expect.poll(() => read('[it.failure, it.conversation.entries.length]')).toEqual([null, 2]);
  await read('void it.clear()');
  await expect.poll(() => read('it.conversation.entries.length')).toBe(0);
});

test('useChatOptions stores the choice in the browser', async () => {
  const { page, read } = await mount({}, 'useChatOptions');
  await expect.poll(() => read('it?.[0].use_chat_history')).toBe(true);
  await read('it[1]({ use_chat_history: false, use_code_context: true })');
  await expect.poll(() => read('it[0].use_chat_history')).toBe(false);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('chat-options'))).toContain('false');
});

test('useMentions lists, moves by arrow keys and inserts the chosen mention', async () => {
  const mentions = ['a.ts', 'b.ts'].map((text) => ({ kind: 'file', text, label: text }));
  const replies = { 'GET /chat/projects/p/mentions': { mentions } };
  const { page, read } = await mount(replies, 'useMentionsOf', 'See @');
  const options = page.getByRole('option');
  await expect.poll(() => options.count()).toBe(2);
  const press = (key: string) => read(`it.onKey({ key: '${key}', preventDefault() {}, nativeEvent: {} })`);
  expect(await press('ArrowDown')).toBe(true);
  await expect.poll(() => options.nth(1).getAttribute('aria-selected')).toBe('true');
  expect(await press('x')).toBe(false);
  await press('Enter');
  await expect.poll(() => read('it.text')).toBe('See b.ts ');
});

test('useAnswerScroll follows new messages only for a reader at the bottom', async () => {
  const entries = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ id: `m${index + from}`, content: `${index + from}` }));
  const { page, update } = await mount({}, 'ScrollList', { entries: entries(10) });
  const list = page.locator('#list');
  const fromEnd = () =>
    list.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
  await expect.poll(async () => (await fromEnd()) < 5).toBe(true);
  await update({ entries: entries(12) });
  await expect.poll(async () => (await fromEnd()) < 5).toBe(true);
  await list.evaluate((element) => element.scrollTo({ top: 100 }));
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(100);
  await update({ entries: entries(14) });
  expect(await list.evaluate((element) => element.scrollTop)).toBe(100);
});

const SESSION = { id: 's', project_id: 'p', thread_id: null };

test('useFollowUp creates its thread with the first question', async () => {
  const exchange = [
    message('e', 1),
    message('a', 2, 'assistant'),
    message('q', 3),
    message('b', 4, 'assistant'),
  ];
  const replies = {
    'POST /debug/sessions/s/thread': { id: 't' },
    [SEND]: { response: 'So.', id: 'b', user_message_id: 'q', thread_id: 't' },
    [MESSAGES]: { messages: exchange, has_more: false },
  };
  const { calls, read } = await mount(replies, 'useFollowUp', SESSION);
  await expect.poll(() => read('it?.messages.length')).toBe(0);
  await read("void it.ask('Why?')");
  await expect.poll(() => read('it.messages.map(({ id }) => id)')).toEqual(['q', 'b']);
  await expect.poll(() => read('it.pending')).toBe(null);
  expect(calls.indexOf('POST /debug/sessions/s/thread')).toBeLessThan(calls.indexOf(SEND));
});

test('useFollowUp shows why a question failed until it is dismissed', async () => {
  const replies = { 'POST /debug/sessions/s/thread': { id: 't' }, [SEND]: failure(500) };
  const { read } = await mount(replies, 'useFollowUp', SESSION);
  await expect.poll(() => read('it?.pending')).toBe(null);
  await read("void it.ask('Why?')");
  await expect.poll(() => read('it.pending?.failure')).toBeTruthy();
  await read('it.dismiss()');
  await expect.poll(() => read('it.pending')).toBe(null);
});
