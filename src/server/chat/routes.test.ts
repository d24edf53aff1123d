import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestModel, type TestModel } from '#assistant/models/testing-model.ts';
import { type ChatMessage, chatRoutes } from '#contract/chat.ts';
import { egressRoutes } from '#contract/egress.ts';
import { modelRoutes } from '#contract/models.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { git } from '#git/run.ts';
import { type GitServer, serveRepositories } from '#git/testing.ts';
import { buildShop, type ShopHistory } from '#investigate/testing.ts';
import type { ServerConfig } from '../deps.ts';
import { reserveModelBudget } from '../llm/model-budget.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

/** Server with the shop repository, owned by Ada; Bob is a viewer. */
interface ChatFixture extends TestApp {
  ada: TestUser;
  bob: TestUser;
  project: Project;
}

let shop: ShopHistory;
let gitServer: GitServer;
let provider: TestModel;
/** Without a model. */
let plain: ChatFixture;
/** With a model, on a public instance. */
let app: ChatFixture;

beforeAll(async () => {
  shop = await buildShop();
  gitServer = await serveRepositories(shop.repository.folder);
  provider = await startTestModel();
  const { baseUrl } = provider;
  plain = await createFixture({});
  app = await createFixture({
    model: { provider: 'openai-compatible', name: 'small', baseUrl, apiKey: null },
    publicInstance: true,
  });
});
afterAll(async () => {
  await app.close();
  await plain.close();
  await provider.close();
  await gitServer.close();
  await shop.repository.remove();
});
beforeEach(async () => {
  provider.calls.length = 0;
  provider.behave({ say: 'Hello' });
  for (const fixture of [plain, app]) {
    await fixture.call(chatRoutes.clear, { params: { id: fixture.project.id } }, fixture.ada);
  }
});

async function createFixture(config: Partial<ServerConfig>): Promise<ChatFixture> {
  const limits = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  const server = await testApp({
    work: true,
    config: { git: { ...limits, allowedPrivateHosts: [gitServer.host] }, ...config },
  });
  const [ada, bob] = [await server.signUp('ada'), await server.signUp('bob')];
  const body = { name: 'Shop', git_url: `${gitServer.url}/${shop.repository.name}` };
  const created = await server.call(projectRoutes.create, { body }, ada);
  const project = await waitUntilReady(server, created.body.id, ada);
  await server.deps.db
    .insertInto('project_members')
    .values({ project_id: project.id, user_id: bob.id, role: 'viewer' })
    .execute();
  return { ...server, ada, bob, project };
}

async function waitUntilReady(server: TestApp, id: string, as: TestUser): Promise<Project> {
  for (let round = 0; round < 1_800; round++) {
    const { body } = await server.call(projectRoutes.get, { params: { id } }, as);
    if (body.status === 'ready') return body;
    await sleep(50);
  }
  throw new Error('the project did not become ready');
}

type Options = { use_chat_history?: boolean; use_code_context?: boolean };

const send = (on: ChatFixture, message: string, options: Options = {}, as = on.ada) =>
  on.call(
    chatRoutes.send,
    { params: { id: on.project.id }, body: { message, project_id: on.project.id, ...options } },
    as,
  );
const list = async (on: ChatFixture, query: { skip?: string; limit?: string } = {}, as = on.ada) =>
  (await on.call(chatRoutes.messages, { params: { id: on.project.id }, query }, as)).body;
const stream = async (on: ChatFixture, message: string) => {
  const reply = await on.inject(
    {
      method: 'POST',
      url: `/api/chat/projects/${on.project.id}/messages`,
      headers: { accept: 'text/event-stream' },
      payload: { message },
    },
    on.ada,
  );
  return { reply, events: readEvents(reply.body) };
};

function readEvents(body: string): { event: string; data: Record<string, unknown> }[] {
  return Array.from(body.matchAll(/event: (\w+)\ndata: (.*)\n\n/g), ([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data),
  }));
}

test('without a model the answer comes from the history, with citations and a hint to configure one', async () => {
  const { status, body } = await send(plain, 'Who wrote src/checkout/total.js?');
  expect(status).toBe(200);
  expect(body.response).toContain(`\`${shop.culprit.slice(0, 7)}\` “Accept discount codes in any case”`);
  expect(body.response).toMatch(
    /No language model is configured\. This answer was assembled from the repository itself\..*`MODEL`/,
  );
  const { messages } = await list(plain);
  expect(messages).toMatchObject([
    { id: body.user_message_id, role: 'user', content: 'Who wrote src/checkout/total.js?', status: 'done' },
    { id: body.id, role: 'assistant', content: body.response, status: 'done' },
  ]);
});

test('other readings are offered with an answer, and stored with it', async () => {
  const { body } = await send(plain, 'tax rates of regions, how is `taxRate` used?');
  expect(body.readings.length).toBeGreaterThan(0);
  for (const { text, question } of body.readings) expect([text, question]).not.toContain('');
  const { messages } = await list(plain);
  expect(messages.find(({ id }) => id === body.id)!.readings).toEqual(body.readings);
});

test('the notice about the missing model appears once in a thread', async () => {
  await send(plain, 'Who wrote src/money.js?');
  const { body } = await send(plain, 'And when?');
  expect(body.response).toContain('`src/money.js` was added on');
  expect(body.response).not.toContain('No language model');
});

test('a question uses the previous messages unless history is disabled', async () => {
  await send(plain, 'Who wrote src/money.js?');
  expect((await send(plain, 'And when?')).body.response).toContain('`src/money.js` was added on');
  const without = await send(plain, 'And when?', { use_chat_history: false });
  expect(without.body.response).not.toContain('`src/money.js` was added on');
});

test('without code context no code is returned', async () => {
  const question = 'tax rates of regions';
  expect((await send(plain, question)).body.response).toContain('src/region.js');
  const without = await send(plain, question, { use_code_context: false });
  expect(without.body.response).toContain('Know the tax rates of regions');
  expect(without.body.response).not.toContain('src/region.js');
});

test.each(['', ' \n\t '])('an empty message (%j) is rejected and not stored', async (message) => {
  const { status, error } = await send(plain, message);
  expect([status, Object.keys(error?.fields ?? {})]).toEqual([422, ['message']]);
  expect((await list(plain)).messages).toEqual([]);
});

test('pages count from the newest message and are in ascending order', async () => {
  for (let number = 1; number <= 3; number++) await send(plain, `Question ${number}`);
  const questions = (messages: ChatMessage[]) =>
    messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const newest = await list(plain, { limit: '4' });
  expect(questions(newest.messages)).toEqual(['Question 2', 'Question 3']);
  expect(newest.has_more).toBe(true);
  const older = await list(plain, { skip: '4', limit: '4' });
  expect(questions(older.messages)).toEqual(['Question 1']);
  expect(older.has_more).toBe(false);
  const times = [...older.messages, ...newest.messages].map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted());
});

test('chats are private, viewers may chat, and clearing affects the caller’s only', async () => {
  await send(plain, 'A secret of Ada');
  expect((await list(plain, {}, plain.bob)).messages).toEqual([]);
  expect((await send(plain, 'Bob asks', {}, plain.bob)).status).toBe(200);
  await plain.call(chatRoutes.clear, { params: { id: plain.project.id } }, plain.ada);
  expect(await list(plain)).toEqual({ messages: [], has_more: false });
  expect((await list(plain, {}, plain.bob)).messages).toHaveLength(2);
});

const summaries = async (on: ChatFixture) =>
  (await on.call(chatRoutes.summaries, { params: { id: on.project.id }, query: {} }, on.ada)).body.summaries;

/** Asks one question and inserts 60 messages after it. */
async function extendThread(on: ChatFixture): Promise<void> {
  await send(on, 'Who wrote src/money.js?');
  expect(await summaries(on)).toEqual([]);
  const { id: thread_id, head } = await on.deps.db
    .selectFrom('chat_threads')
    .select(['id', 'head'])
    .where('user_id', '=', on.ada.id)
    .executeTakeFirstOrThrow();
  const userIdOf = (index: number) => `z${String(index).padStart(3, '0')}`;
  await on.deps.db
    .insertInto('chat_messages')
    .values(
      Array.from({ length: 60 }, (_, index) => ({
        project_id: on.project.id,
        thread_id,
        id: userIdOf(index),
        parent_id: index === 0 ? head : userIdOf(index - 1),
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `Turn ${index}`,
        status: 'done' as const,
        created_at: new Date(),
      })),
    )
    .execute();
  await on.deps.db
    .updateTable('chat_threads')
    .set({ head: userIdOf(59) })
    .where('id', '=', thread_id)
    .execute();
}

test('long chats are summarized except for recent messages', async () => {
  await extendThread(plain);
  const [first, ...more] = await summaries(plain);
  expect(more).toEqual([]);
  expect(first?.content).toMatch(/^- Who wrote src\/money.js\? → `[0-9a-f]{7}`/);
  expect(first?.content.split('\n')).toHaveLength(20);
  expect(first?.model).toBeNull();
});

test('a model summarizes a long chat once, with verified citations, for later questions', async () => {
  await extendThread(app);
  provider.behave({ say: 'An answer.' }, { say: '- Money was asked about: `0123456789ab`' });
  await send(app, 'And now?');
  await expect.poll(() => summaries(app)).toMatchObject([{ model: 'openai-compatible:small' }]);
  expect((await summaries(app))[0]?.content).toBe('- Money was asked about: ~~0123456789ab~~');
  const prompt = JSON.stringify(provider.calls.at(-1)?.body);
  expect(prompt).toContain('Turn 37');
  expect(prompt).not.toContain('Turn 38');
  provider.behave({ say: 'Another.' });
  const calls = provider.calls.length;
  await send(app, 'And then?');
  expect(JSON.stringify(provider.calls[calls]?.body)).toContain('Money was asked about');
  expect(provider.calls).toHaveLength(calls + 1);
});

test('a model composes from repository evidence, and wrong citations are struck out', async () => {
  const right = shop.culprit.slice(0, 12);
  provider.behave({
    say: `Changed in \`${right}\`, not in \`0000000000a1\`.\n\nSee \`src/money.js:1-999 @ ${right}\`.`,
  });
  const { body } = await send(app, 'Why are discount codes lower-cased?');
  expect(body.response).toBe(
    `Changed in \`${right}\`, not in ~~0000000000a1~~.\n\nSee ~~src/money.js:1-999 @ ${right}~~.`,
  );
  const prompt = JSON.stringify(provider.calls[0]?.body);
  expect(prompt).toContain('code.toLowerCase()');
  expect(prompt).toContain('Why are discount codes lower-cased?');
});

test('the options determine what is sent to the model', async () => {
  await send(app, 'First question about applyDiscount');
  await send(app, 'Second question about applyDiscount');
  expect(JSON.stringify(provider.calls[1]?.body)).toContain('First question');
  expect(JSON.stringify(provider.calls[1]?.body)).toContain('discount.percent');
  const off = { use_chat_history: false, use_code_context: false };
  await send(app, 'Third question about applyDiscount', off);
  expect(JSON.stringify(provider.calls[2]?.body)).not.toMatch(/First question|discount\.percent/);
});

test('a model failure is an error message, and nothing is stored', async () => {
  provider.behave({ status: 401, body: '{"error":{"message":"Invalid token 401"}}' });
  const { status, error } = await send(app, 'Why?');
  expect([status, error?.reason]).toEqual([503, 'model_key_rejected']);
  expect(JSON.stringify({ ...error, request_id: null })).not.toMatch(/Invalid token|"[^"]*40[13][^"]*"/);
  expect((await list(app)).messages).toEqual([]);
});

test('the event stream contains steps, text deltas and the reply', async () => {
  provider.behave({ say: 'One line\nand another\nand the last' });
  const { reply, events } = await stream(app, 'Tell me about applyDiscount');
  expect(reply.headers['content-type']).toMatch(/^text\/event-stream/);
  expect(reply.headers['x-content-type-options']).toBe('nosniff');
  expect(events.map(({ event }) => event)).toEqual(['step', 'step', 'text', 'text', 'text', 'done']);
  const text = events.flatMap(({ event, data }) => (event === 'text' ? [data.text] : [])).join('');
  expect(events.at(-1)?.data).toMatchObject({ response: text });
  expect(chatRoutes.send.reply.parse(events.at(-1)?.data)).toBeTruthy();
});

test('an error during a stream is an event with the error shape', async () => {
  provider.behave({ status: 404 });
  const { events } = await stream(app, 'Why?');
  expect(events.at(-1)).toMatchObject({
    event: 'error',
    data: { error: { code: 'unavailable', reason: 'model_not_found' } },
  });
  expect((await list(app)).messages).toEqual([]);
});

test('stopping keeps the question and the partial answer', async () => {
  provider.behave({ hang: 'after', say: 'A first line\nand half of ' });
  const address = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const stop = new AbortController();
  const reply = await fetch(`${address}/api/chat/projects/${app.project.id}/messages`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${app.ada.accessToken}`,
    },
    body: JSON.stringify({ message: 'Go on and on' }),
    signal: stop.signal,
  });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let seen = ''; !seen.includes('A first line'); ) seen += (await reader.read()).value ?? '';
  stop.abort();
  await expect
    .poll(async () => (await list(app)).messages)
    .toMatchObject([
      { role: 'user', content: 'Go on and on', status: 'done' },
      { role: 'assistant', content: 'A first line\n', status: 'stopped' },
    ]);
});

test('on a public instance questions are rate-limited', async () => {
  for (let question = 0; question < 20; question++) {
    expect((await send(app, `Question ${question}`, {}, app.bob)).status).toBe(200);
  }
  expect((await send(app, 'One more', {}, app.bob)).status).toBe(429);
});

const threads = async (on: ChatFixture, q?: string, as = on.ada) =>
  (
    await on.call(
      chatRoutes.threads,
      { params: { id: on.project.id }, query: q === undefined ? {} : { q } },
      as,
    )
  ).body.threads;

test('an edited question creates a branch, and both branches can be shown', async () => {
  const first = (await send(plain, 'Who wrote src/money.js?')).body;
  await send(plain, 'And when?');
  const body = { message: 'Who wrote src/region.js?', parent_id: null };
  const edited = await plain.call(chatRoutes.send, { params: { id: plain.project.id }, body }, plain.ada);
  expect(edited.body.thread_id).toBe(first.thread_id);
  const { messages } = await list(plain);
  expect(messages.map(({ content }) => content.split('\n')[0])).toEqual([
    'Who wrote src/region.js?',
    expect.stringContaining('src/region.js'),
  ]);
  expect(messages[0]?.siblings).toEqual([first.user_message_id, edited.body.user_message_id]);
  const thread = { id: plain.project.id, thread: first.thread_id };
  const shown = { params: thread, body: { head: first.user_message_id } };
  expect((await plain.call(chatRoutes.updateThread, shown, plain.ada)).status).toBe(200);
  expect((await list(plain)).messages).toHaveLength(4);
  expect((await plain.call(chatRoutes.updateThread, shown, plain.bob)).status).toBe(404);
});

test('a regenerated answer is a sibling of the first', async () => {
  provider.behave({ say: 'One' }, { say: 'Two' });
  const { body } = await send(app, 'Why?');
  const again = { params: { id: app.project.id, message: body.id }, body: {} };
  const second = await app.call(chatRoutes.regenerate, again, app.ada);
  expect(second.body).toMatchObject({ response: 'Two', user_message_id: body.user_message_id });
  const { messages } = await list(app);
  expect(messages.map(({ content }) => content)).toEqual(['Why?', 'Two']);
  expect(messages[1]).toMatchObject({ model: 'openai-compatible:small', input_tokens: 11, output_tokens: 7 });
  expect(messages[1]?.siblings).toEqual([body.id, second.body.id]);
  app.advance(120);
  expect((await app.call(chatRoutes.regenerate, again, app.bob)).status).toBe(404);
});

test('threads have titles and are searched, exported, shared and deleted', async () => {
  await send(plain, 'Who wrote src/money.js?');
  const { body: started } = await plain.call(
    chatRoutes.createThread,
    { params: { id: plain.project.id } },
    plain.ada,
  );
  const body = { message: 'Where is `taxRate` defined?', thread_id: started.id };
  await plain.call(chatRoutes.send, { params: { id: plain.project.id }, body }, plain.ada);
  expect((await threads(plain)).map(({ title, message_count: messages }) => [title, messages])).toEqual([
    ['Where is taxRate defined?', 2],
    ['Who wrote src/money.js?', 2],
  ]);
  const [found, ...others] = await threads(plain, 'ada LOVELACE');
  expect(others).toEqual([]);
  expect(found?.excerpt).toContain('Ada Lovelace');

  const params = { id: plain.project.id, thread: started.id };
  await plain.call(chatRoutes.updateThread, { params, body: { title: 'Taxes' } }, plain.ada);
  const file = await plain.inject(
    { url: `/api/chat/projects/${params.id}/threads/${params.thread}/export` },
    plain.ada,
  );
  expect(file.headers['content-disposition']).toBe('attachment; filename="taxes.md"');
  expect(file.body).toMatch(/^# Taxes\n\nProject: Shop\n\n## Question, .*## Answer, .*src\/region\.js/s);

  const bobReads = () => list(plain, { thread: params.thread } as never, plain.bob);
  const sharedWithBob = async () =>
    (await threads(plain, undefined, plain.bob)).filter(({ owner }) => owner !== null);
  expect(await sharedWithBob()).toEqual([]);
  expect(await bobReads()).toMatchObject({ error: { code: 'not_found' } });
  await plain.call(chatRoutes.updateThread, { params, body: { shared: true } }, plain.ada);
  expect(await sharedWithBob()).toMatchObject([{ title: 'Taxes', owner: 'ada' }]);
  expect((await bobReads()).messages).toHaveLength(2);
  const answered = {
    params: { id: plain.project.id },
    body: { message: 'Mine now', thread_id: params.thread },
  };
  expect((await plain.call(chatRoutes.send, answered, plain.bob)).status).toBe(404);

  expect((await plain.call(chatRoutes.remove, { params }, plain.bob)).status).toBe(404);
  expect((await plain.call(chatRoutes.remove, { params }, plain.ada)).status).toBe(200);
  expect((await threads(plain)).map(({ title }) => title)).toEqual(['Who wrote src/money.js?']);
});

test('files, symbols and commits can be mentioned', async () => {
  const mentions = async (q: string) =>
    (await plain.call(chatRoutes.mentions, { params: { id: plain.project.id }, query: { q } }, plain.ada))
      .body.mentions;
  expect((await mentions('money.js:1-3')).slice(0, 1)).toMatchObject([
    { kind: 'file', text: '`src/money.js:1-3`' },
  ]);
  expect(await mentions('taxRate')).toContainEqual(
    expect.objectContaining({ kind: 'symbol', text: '`taxRate`' }),
  );
  expect(await mentions('discount codes')).toContainEqual(expect.objectContaining({ kind: 'commit' }));
  expect((await mentions('')).length).toBeGreaterThan(2);
});

test('a model uses tools of this project only, with a progress event each', async () => {
  const wants = [
    { name: 'find_symbol', input: { name: 'applyDiscount' } },
    { name: 'read_file', input: { path: '../../../etc/passwd' } },
    { name: 'delete_project', input: { id: app.project.id } },
  ];
  provider.behave({ use: wants }, { say: 'It is in `src/checkout/total.js:1-2 @ deadbeef1`.' });
  const { events } = await stream(app, 'Where is the discount?');
  expect(
    events.filter(({ data }) => data.step === 'tool_call').map(({ data }) => [data.tool, data.query]),
  ).toEqual([
    ['find_symbol', 'applyDiscount'],
    ['read_file', '../../../etc/passwd'],
  ]);
  expect(events.at(-1)?.data.response).toContain('~~src/checkout/total.js:1-2 @ deadbeef1~~');
  const sent = JSON.stringify(provider.calls[1]?.body.messages);
  expect(sent).toContain('is defined in');
  expect(sent).not.toContain('root:x:');
  expect(sent).toContain('There is no tool named');
});

test('without code context the model gets no tools', async () => {
  provider.behave({ say: 'Hm.' });
  await send(app, 'Where?', { use_code_context: false });
  expect(provider.calls[0]?.body.tools).toBeUndefined();
});

test('members can read the egress log of the project', async () => {
  provider.behave({ say: 'Hm.' });
  await send(app, 'Where?');
  const read = () =>
    app.call(egressRoutes.project, { params: { id: app.project.id }, query: { limit: '1' } }, app.bob);
  const { body } = await read();
  expect(body.entries[0]).toMatchObject({
    purpose: 'chat',
    host: new URL(provider.baseUrl).host,
    status: 200,
    user: 'ada',
  });
  expect(body.entries[0]?.bytes_sent).toBeGreaterThan(500);
  const query = { limit: '200' };
  const whole = await app.call(egressRoutes.project, { params: { id: app.project.id }, query }, app.bob);
  // The clone.
  const clone = whole.body.entries.find(({ purpose }) => purpose === 'git');
  expect(clone).toMatchObject({ host: gitServer.host, status: 200, user: null });
  expect(clone?.bytes_received).toBeGreaterThan(2_000);
  const eve = await app.signUp();
  expect(
    (await app.call(egressRoutes.project, { params: { id: app.project.id }, query: {} }, eve)).status,
  ).toBe(404);
  expect((await app.call(egressRoutes.all, { query: {} }, app.ada)).body.entries.length).toBeGreaterThan(0);
});

const NO_LIMIT = { tokens: { day: null, month: null }, cost: { day: null, month: null }, prices: null };

test('concurrent requests stay within their budget reservations', async () => {
  const { deps } = app;
  const eve = await app.signUp();
  const { id: userId } = eve;
  deps.config.modelBudget = { ...NO_LIMIT, tokens: { day: 40_000, month: null } };
  const tries = await Promise.all(Array.from({ length: 20 }, () => reserveModelBudget(deps, { userId })));
  const granted = tries.filter((one) => 'settle' in one);
  // 18,000 are reserved for each: the third exceeds the daily budget.
  expect(granted).toHaveLength(3);
  for (const one of granted) one.onUsage({ input: 900, output: 100 });
  await Promise.all(granted.map((one) => one.settle()));
  await granted[0]!.settle();
  const { body } = await app.call(modelRoutes.usage, {}, eve);
  expect(body).toMatchObject({ day: { tokens: 3_000, cost: 0, budget: { tokens: 40_000 } }, currency: null });
  expect('settle' in (await reserveModelBudget(deps, { userId }))).toBe(true);
  deps.config.modelBudget = NO_LIMIT;
});

test('a budget is announced as used up by recorded usage, not by reservations', async () => {
  const { deps } = app;
  const { id: userId } = await app.signUp();
  deps.config.modelBudget = { ...NO_LIMIT, tokens: { day: 30_000, month: null } };
  const spans: string[] = [];
  const stop = deps.events.subscribe('budget-used', (event) => {
    if (event.userId === userId) spans.push(event.span);
  });
  const reserve = async (input: number) => {
    const reservation = await reserveModelBudget(deps, { userId });
    if (!('settle' in reservation)) throw new Error('no budget');
    reservation.onUsage({ input, output: 0 });
    return reservation;
  };
  const [first, second] = [await reserve(15_000), await reserve(1_000)];
  await first.settle();
  await second.settle();
  const third = await reserve(14_000);
  expect(spans).toEqual([]);
  await third.settle();
  await expect.poll(() => spans).toEqual(['day']);
  stop();
  deps.config.modelBudget = NO_LIMIT;
});

test('an exhausted budget returns an answer without the model and the reset time', async () => {
  const prices = { input: 1, output: 10, currency: 'EUR' };
  app.deps.config.modelBudget = { ...NO_LIMIT, cost: { day: null, month: 0.00001 }, prices };
  await send(app, 'Hello?');
  const { body: used } = await app.call(modelRoutes.usage, {}, app.ada);
  expect(used.month.cost).toBeGreaterThan(0.00001);
  expect(used.currency).toBe('EUR');
  const calls = provider.calls.length;
  const { body } = await send(app, 'Who wrote src/money.js?');
  expect(body.response).toMatch(
    /was added .*Monthly model quota used up\. It resets on \d{4}-\d\d-01 00:00 UTC/s,
  );
  expect(provider.calls).toHaveLength(calls);
  const { body: everybody } = await app.call(modelRoutes.users, {}, app.ada);
  expect(everybody.users).toContainEqual(
    expect.objectContaining({ username: 'ada', tokens: used.month.tokens }),
  );
  app.deps.config.modelBudget = NO_LIMIT;
});

test('an answer contains its commit and the index freshness', async () => {
  const fresh = await send(plain, 'Who wrote src/money.js?');
  const commit = await shop.repository.head();
  expect(fresh.body.freshness).toMatchObject({ commit, branch: 'main', behind: 0 });
  const repo = join(plain.deps.config.dataDir, 'projects', plain.project.id, 'repo.git');
  // Fetched but not indexed yet.
  const tree = `${commit}^{tree}`;
  const made = await git(repo, ['commit-tree', tree, '-p', commit, '-m', 'Later'], {
    name: 'commit-tree',
    env: {
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@b',
    },
  });
  const later = made.stdout.toString().trim();
  const move = (to: string) =>
    git(repo, ['update-ref', 'refs/remotes/origin/main', to], { name: 'update-ref' });
  await move(later);
  const { body } = await send(plain, 'And when?');
  expect(body.freshness).toMatchObject({ commit, behind: 1 });
  expect(Date.parse(body.freshness.fetched_at!)).toBeGreaterThan(0);
  await move(commit);
  const { messages } = await list(plain);
  expect(messages.at(-1)?.freshness).toEqual(body.freshness);
  expect(messages.at(-2)?.freshness).toBeNull();
});
