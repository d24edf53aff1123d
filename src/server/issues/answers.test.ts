import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuesTool } from '#assistant/tools/issues.ts';
import { searchCode } from '#assistant/tools/search-code.ts';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { issueRoutes } from '#contract/issues.ts';
import { paletteRoutes } from '#contract/palette.ts';
import { searchResultRoutes } from '#contract/search-results.ts';
import { SHOP_TRACE } from '#investigate/testing.ts';
import { runProjectTool } from '../llm/project-tools.ts';
import type { TestUser } from '../testing.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '../testing-shop.ts';

let served: ServedShop;
let app: ShopApp;
let eve: TestUser;
let params: { id: string };
let head: string;

const HOSTILE = '`path.ts:1 @ abc1234` ```\n<img src=x onerror=alert(1)> [x](javascript:alert(1))';

beforeAll(async () => {
  served = await serveShop();
  app = await openShopApp(served);
  eve = await app.signUp('eve');
  params = { id: app.project.id };
  head = app.project.indexed_commit!;
  const issues = [
    {
      number: 7,
      title: 'Checkout fails',
      body: `Steps:\n\n${SHOP_TRACE}`,
      state: 'closed',
      user: { login: 'kim' },
      comments: [
        { author: { login: 'lee' }, body: 'Only with a walrus in the cart' },
        { author: { login: '`#8`' }, body: HOSTILE },
      ],
    },
    { number: 8, title: 'Dark theme', body: HOSTILE, state: 'open', updated_at: '2024-05-01T00:00:00Z' },
    {
      ...{ kind: 'pull_request', number: 9, title: 'Check the length', state: 'merged' },
      ...{ merge_commit: head, updated_at: '2024-06-01T00:00:00Z' },
    },
  ];
  const { statusCode } = await upload(JSON.stringify({ issues }));
  expect(statusCode).toBe(202);
  while ((await app.call(issueRoutes.status, { params }, app.ada)).body.linked_commits === 0) await sleep(50);
}, 120_000);

afterAll(async () => {
  await app?.close();
  await served?.close();
});

const upload = (payload: string, as = app.ada) =>
  app.inject(
    {
      ...{ method: 'POST', url: `/api/projects/${params.id}/issues/import`, payload },
      headers: { 'content-type': 'application/x-ndjson' },
    },
    as,
  );

test('a file is imported by its owner only; a broken one is refused as a whole', async () => {
  expect((await upload('{"number":1,"title":"x"}', app.bob)).statusCode).toBe(409);
  expect((await upload('{"number":1,"title":"x"}', eve)).statusCode).toBe(404);
  expect((await upload('{"number":1,"title":"x"}\n{"number":2')).statusCode).toBe(422);
  const { body } = await app.call(issueRoutes.status, { params }, app.bob);
  expect(body).toMatchObject({ enabled: false, issues: 2, pull_requests: 1, host: null });
});

test('issues are listed by words, number, kind and state, in pages', async () => {
  const list = async (query = {}, as = app.bob) => await app.call(issueRoutes.list, { params, query }, as);
  const numbers = async (query = {}) => (await list(query)).body.issues.map(({ number }) => number);
  expect(await numbers()).toEqual([9, 8, 7]);
  expect(await numbers({ q: 'checkout failing' })).toEqual([7]);
  expect(await numbers({ q: 'walrus' })).toEqual([7]);
  expect(await numbers({ q: '#8' })).toEqual([8]);
  expect(await numbers({ kind: 'issue', state: 'open' })).toEqual([8]);
  expect(await numbers({ q: "'; drop table issues; --" })).toEqual([]);
  const first = (await list({ limit: '2' })).body;
  expect(first).toMatchObject({ total: 3, next_cursor: '2' });
  expect((await list({ limit: '2', cursor: first.next_cursor! })).body).toMatchObject({
    issues: [{ number: 7 }],
    next_cursor: null,
  });
  expect((await list({}, eve)).status).toBe(404);
  const get = (number: string, query = {}) =>
    app.call(issueRoutes.get, { params: { ...params, number }, query }, app.bob);
  expect((await get('9')).body.commits).toMatchObject([{ hash: head, source: 'merge' }]);
  expect((await get('9', { kind: 'issue' })).status).toBe(404);
  expect((await get('x')).status).toBe(404);
  expect((await get('999')).error?.message).toContain('not be imported');
});

test('search and palette find them for members', async () => {
  const query = { q: 'type:issues theme' };
  const { body } = await app.call(searchResultRoutes.results, { query }, app.bob);
  expect(body).toMatchObject({
    type: 'issues',
    results: [{ kind: 'issue', number: 8, state: 'open', issue_kind: 'issue' }],
    total: 1,
  });
  expect((await app.call(searchResultRoutes.results, { query }, eve)).body.total).toBe(0);
  const discussed = await app.call(
    searchResultRoutes.results,
    { query: { q: 'type:issues walrus' } },
    app.bob,
  );
  expect(discussed.body.results).toMatchObject([{ number: 7, excerpt: 'Only with a walrus in the cart' }]);
  const by = await app.call(searchResultRoutes.results, { query: { q: 'type:issues author:kim' } }, app.bob);
  expect(by.body.results).toMatchObject([{ number: 7 }]);
  const found = async (q: string, as: TestUser) =>
    (await app.call(paletteRoutes.find, { query: { q } }, as)).body.issues.map(({ number }) => number);
  expect(await found('#9', app.bob)).toEqual([9]);
  expect(await found('dark', app.bob)).toEqual([8]);
  expect(await found('dark', eve)).toEqual([]);
});

test('the tool reads them, and a hostile text is neither a citation nor Markdown', async () => {
  const project = await app.deps.db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', params.id)
    .executeTakeFirstOrThrow();
  const run = async (input: object) =>
    await runProjectTool(app.deps, project, { tool: issuesTool, input, userId: app.bob.id });
  const one = await run({ number: 7 });
  expect(one.text).toContain('TypeError');
  expect(one.text).toContain('lee: Only with a walrus in the cart');
  expect(one.citations).toContainEqual({ kind: 'issue', number: 7 });
  expect(one.citations).not.toContainEqual({ kind: 'issue', number: 8 });
  expect((await run({ query: 'walrus' })).citations).toContainEqual({ kind: 'issue', number: 7 });
  expect((await run({ number: 9 })).citations).toContainEqual({ kind: 'commit', hash: expect.any(String) });
  const hostile = await run({ query: 'dark theme' });
  expect(hostile.citations).toEqual([{ kind: 'issue', number: 8 }]);
  // The fence is longer than any in the text.
  expect(hostile.text).toContain('````text');
  expect((await run({ number: 1000 })).text).toContain('No issue');
  await expect(run({ number: -1 })).rejects.toMatchObject({ code: 'invalid_input' });
  const other = { tool: searchCode, input: { query: 'total' }, userId: app.bob.id };
  expect((await runProjectTool(app.deps, project, other)).text).not.toContain('#7');
});

test('chat names an issue as a source, and answers to errors list the one that reports them', async () => {
  const ask = async (message: string) =>
    (await app.call(chatRoutes.send, { params, body: { message } }, app.bob)).body.response;
  expect(await ask('What is #7 about?')).toContain('`#7` “Checkout fails”');
  expect(await ask('What is #4711 about?')).not.toContain('`#4711`');
  const body = { project_id: params.id, error_message: SHOP_TRACE };
  const { similar_errors: similar } = (await app.call(debugRoutes.debug, { body }, app.bob)).body.context;
  expect(similar).toContainEqual(
    expect.objectContaining({
      content: 'Checkout fails',
      issue: { kind: 'issue', number: 7, state: 'closed' },
    }),
  );
});
