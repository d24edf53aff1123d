import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { searchResultRoutes } from '#contract/search-results.ts';
import { savedSearchRoutes } from '#contract/search-saved.ts';
import { newId } from '#db/ids.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };

let net: TestRepository;
let shop: TestRepository;
const servers: GitServer[] = [];
let app: TestApp;
let user: TestUser;
const ids: Record<string, string> = {};

beforeAll(async () => {
  net = await buildRepository(async (repo) => {
    const body = 'export function retryCall(url) {\n  return retry(3, () => fetch(url));\n}\n';
    await repo.commit({
      files: { 'src/net.ts': body, 'docs/net.md': 'How to retry\n' },
      message: 'Add retries',
    });
    await repo.tag('v1');
    await repo.commit({
      files: { 'src/net.ts': body.replace('retry(3', 'retry(5') },
      message: 'Retry more often',
    });
  });
  shop = await buildRepository(async (repo) => {
    await repo.commit({
      files: {
        'cart.py': 'class Cart:\n    def retry(self):\n        return "ünïcode"\n',
        'fill.py': 'def cart(items):\n    return list(items)\n',
      },
      message: 'Open the shop',
      date: '2024-06-01T10:00:00Z',
    });
  });
  for (const { folder } of [net, shop]) servers.push(await serveRepositories(folder));
  const allowedPrivateHosts = servers.map(({ host }) => host);
  app = await testApp({ work: true, config: { git: { ...GIT, allowedPrivateHosts } } });
  user = await app.signUp();
  for (const [index, name] of ['net', 'shop'].entries()) {
    const git_url = `${servers[index]!.url}/${[net, shop][index]!.name}`;
    ids[name] = (await app.call(projectRoutes.create, { body: { name, git_url } }, user)).body.id;
  }
  for (const id of Object.values(ids)) {
    const isReady = async () => {
      const { body } = await app.call(projectRoutes.get, { params: { id } }, user);
      expect(body).toMatchObject({ status: 'ready', activity: null });
    };
    await vi.waitFor(isReady, { timeout: 60_000, interval: 100 });
  }
}, 120_000);

afterAll(async () => {
  await app?.close();
  for (const server of servers) await server.close();
  await net?.remove();
  await shop?.remove();
});

type Query = {
  q: string;
  match?: 'words' | 'exact' | 'regex';
  skip?: string;
  limit?: string;
  own_branches?: 'false';
};
const search = (query: Query, who = user) => app.call(searchResultRoutes.results, { query }, who);

async function find(q: string, more: Omit<Query, 'q'> = {}) {
  const { status, body } = await search({ q, ...more });
  expect(status).toBe(200);
  return body;
}
const names = (body: Awaited<ReturnType<typeof find>>) =>
  body.results.map((result) =>
    'path' in result ? result.path : 'hash' in result ? result.kind : result.title,
  );

test('code of all projects is found by words, exact text and expression, with marks and facets', async () => {
  const words = await find('retry call');
  expect(names(words).sort()).toEqual(['cart.py', 'docs/net.md', 'src/net.ts']);
  expect(words.facets.find(({ key }) => key === 'project')!.values).toEqual([
    { value: ids.net, label: 'net', count: 2 },
    { value: ids.shop, label: 'shop', count: 1 },
  ]);
  expect(words.projects.map(({ name, state, branch }) => [name, state, branch])).toEqual([
    ['shop', 'searched', 'main'],
    ['net', 'searched', 'main'],
  ]);
  const exact = await find('"retry(5"');
  expect(exact).toMatchObject({ total: 1, complete: true });
  expect(exact.results[0]).toMatchObject({ path: 'src/net.ts', line: 2, matches: 1 });
  const lines = exact.results.flatMap((result) => (result.kind === 'code' ? result.fragments : []))[0]!.lines;
  expect(lines.map(({ text, marks }) => marks.map(([from, to]) => text.slice(from, to)))).toEqual([
    [],
    ['retry(5'],
    [],
  ]);
  const regex = await find('retry[(][0-9]', { match: 'regex' });
  expect(regex.results).toEqual(
    exact.results.map((one) => ({ ...one, symbol: null, fragments: expect.anything() })),
  );
  const marked = regex.results.flatMap((one) => (one.kind === 'code' ? one.fragments[0]!.lines : []));
  expect(marked.find(({ marks }) => marks.length > 0)!.marks).toEqual([[9, 16]]);
  expect(names(await find('"ünïcode"'))).toEqual(['cart.py']);
});

test('filters narrow, exclude and are counted; unknown projects are named', async () => {
  expect(names(await find('retry lang:py'))).toEqual(['cart.py']);
  expect(names(await find('retry -path:docs repo:net'))).toEqual(['src/net.ts']);
  expect(names(await find('retry path:*.md'))).toEqual(['docs/net.md']);
  const unknown = await find('retry repo:nowhere');
  expect(unknown).toMatchObject({ results: [], unknown_projects: ['nowhere'], projects: [] });
  const page = await find('retry', { skip: '1', limit: '1' });
  expect([page.results.length, page.total]).toEqual([1, 3]);
});

test('symbols, files and commits are found by their names', async () => {
  const symbols = async (q: string) =>
    (await find(`type:symbols ${q}`)).results.flatMap((one) =>
      one.kind === 'symbol' ? [[one.name, one.marks]] : [],
    );
  expect(await symbols('Car')).toEqual([
    ['Cart', [[0, 3]]],
    ['cart', [[0, 3]]],
  ]);
  expect((await symbols('cart')).map(([name]) => name)).toEqual(['cart', 'Cart']);
  expect(names(await find('type:files ntts'))).toEqual(['src/net.ts']);
  expect(names(await find('type:files lang:markdown'))).toEqual(['docs/net.md']);
  const commits = await find('type:commits retry');
  expect(commits.results.map((one) => one.kind === 'commit' && one.subject).sort()).toEqual([
    'Add retries',
    'Retry more often',
  ]);
  expect((await find('type:commits author:nobody')).total).toBe(0);
  expect((await find(`type:commits ${await net.head()}`)).results).toMatchObject([
    { subject: 'Retry more often' },
  ]);
});

test('changes are found by side and path', async () => {
  await vi.waitFor(
    async () => {
      const { projects } = await find('type:changes retry');
      expect(projects.every(({ history }) => history && history.commits === history.total)).toBe(true);
    },
    { timeout: 60_000, interval: 200 },
  );
  expect((await find('type:changes side:removed "retry(3"')).results).toMatchObject([
    { message: 'Retry more often' },
  ]);
  const exact = await find('type:changes "retry("');
  expect(exact).toMatchObject({ total: 3, complete: true });
  // A page ends before the changes of other projects that are older; each project counts with one.
  for (const [skip, change] of exact.results.entries()) {
    const page = await find('type:changes "retry("', { skip: String(skip), limit: '1' });
    expect(page.results).toEqual([change]);
    expect(page.facets.find(({ key }) => key === 'project')!.values).toHaveLength(2);
  }
  expect(await find('type:changes "retry("', { limit: '1' })).toMatchObject({ total: 2, complete: false });
  const added = await find('type:changes side:added retry path:src/');
  expect(added.results.length).toBe(2);
  expect(added.results.every((one) => one.kind === 'change' && one.new_path === 'src/net.ts')).toBe(true);
});

test('a revision is searched where it exists, and the other projects say so', async () => {
  const old = await find('rev:v1 "retry(3"');
  expect(names(old)).toEqual(['src/net.ts']);
  expect(old.projects.map(({ name, state }) => [name, state])).toEqual([
    ['shop', 'revision_not_found'],
    ['net', 'searched'],
  ]);
  expect((await find('rev:v1 "retry(5"')).total).toBe(0);
  expect((await find('rev:v1 /retry[(]3/')).total).toBe(1);
  expect((await find('rev:v1 type:commits')).results).toMatchObject([{ subject: 'Add retries' }]);
});

test('errors and chats are found by their texts, those of other people are not', async () => {
  const { db } = app.deps;
  const stranger = await app.signUp();
  const member = await app.signUp();
  await db
    .insertInto('project_members')
    .values({ project_id: ids.net!, user_id: member.id, role: 'viewer' })
    .execute();
  const values = {
    project_id: ids.net!,
    number: 1,
    draft: true,
    request: JSON.stringify({ error_message: 'ETIMEDOUT in call' }),
  };
  const answer = JSON.stringify({ root_cause: { text: 'The quokka sleeps' } });
  const group = { project_id: ids.net!, fingerprint: 'f', id: newId() };
  await db.insertInto('debug_groups').values(group).execute();
  await db
    .insertInto('debug_sessions')
    .values({ ...values, id: newId(), user_id: user.id, fingerprint: 'f', title: 'Timeout', answer })
    .execute();
  const thread = { project_id: ids.net!, user_id: user.id, title: 'About wombats' };
  const [thread_id, head] = [newId(), newId()];
  await db
    .insertInto('chat_threads')
    .values({ ...thread, id: thread_id, head })
    .execute();
  await db
    .insertInto('chat_messages')
    .values({
      project_id: ids.net!,
      id: head,
      thread_id,
      role: 'user',
      content: 'Why is retry called 5 times?',
      status: 'done',
      created_at: new Date(),
    })
    .execute();
  expect((await find('type:errors etimedout quokka')).results).toMatchObject([
    { title: 'Timeout', cause: 'The quokka sleeps', state: 'open' },
  ]);
  expect((await find('type:chats called')).results).toMatchObject([
    { title: 'About wombats', excerpt: expect.stringContaining('retry called') },
  ]);
  expect((await find('type:chats wombat')).total).toBe(1);
  for (const other of [stranger, member]) {
    for (const q of [
      'type:errors etimedout',
      'type:chats called',
      ...(other === stranger ? ['retry', 'type:commits'] : []),
    ]) {
      expect((await search({ q }, other)).body.total, q).toBe(0);
    }
  }
});

test('hostile queries are answered in time, with a reason where they cannot run', async () => {
  expect((await search({ q: 'date:x type:commits' })).body).toMatchObject({
    error: { reason: 'invalid_date' },
  });
  expect((await search({ q: '(', match: 'regex' })).status).toBe(400);
  expect((await search({ q: `(${'a+'.repeat(200)})+$`, match: 'regex' })).status).toBeLessThan(500);
  expect((await search({ q: 'x'.repeat(10_001) })).status).toBe(422);
  expect((await search({ q: `${'word '.repeat(1_900)}` })).status).toBe(200);
  expect((await search({ q: 'retry', skip: '99999999' })).status).toBe(422);
  expect((await search({ q: `path:${'*a'.repeat(200)} retry` })).status).toBe(200);
  expect((await search({ q: 'a\u0000b' })).status).toBe(422);
  expect((await find('\u202e" ☃')).total).toBe(0);
});

test('counts by type leave out types that the query does not fit, and values are suggested', async () => {
  const { body } = await app.call(searchResultRoutes.counts, { query: { q: 'retry author:ada' } }, user);
  expect(body.counts).toBeUndefined();
  const counted = await app.call(searchResultRoutes.counts, { query: { q: 'retry' } }, user);
  const totals = Object.fromEntries(counted.body.counts.map(({ type, total }) => [type, total]));
  expect(totals).toMatchObject({ code: 3, symbols: 1, commits: 2, files: 0 });
  const values = async (key: 'author' | 'path' | 'lang' | 'rev', text: string, q = '') =>
    (await app.call(searchResultRoutes.values, { query: { key, text, q } }, user)).body.values.map(
      ({ value }) => value,
    );
  expect(await values('path', 'src')).toEqual(['src/', 'src/net.ts']);
  expect(await values('lang', '', 'repo:shop')).toEqual(['python']);
  expect(await values('author', 'ada')).toEqual(['Ada Lovelace']);
  expect(await values('rev', 'v')).toEqual(['v1']);
});

test('searches are saved under a name, replaced, exported and deleted by their owner alone', async () => {
  const save = (body: { name: string; query: string }, who = user) =>
    app.call(savedSearchRoutes.save, { body }, who);
  const { body: first } = await save({ name: 'Retries', query: 'retry' });
  const { body: second } = await save({ name: 'Retries', query: 'type:commits retry' });
  expect(second).toMatchObject({ id: first.id, query: 'type:commits retry' });
  expect((await save({ name: ' ', query: 'x' })).status).toBe(422);
  const other = await app.signUp();
  const remove = (who: TestUser) => app.call(savedSearchRoutes.remove, { params: { id: first.id } }, who);
  expect((await remove(other)).status).toBe(404);
  expect((await app.call(savedSearchRoutes.list, {}, user)).body).toHaveLength(1);
  expect((await app.call(savedSearchRoutes.list, {}, other)).body).toEqual([]);
  expect((await remove(user)).status).toBe(200);
  expect((await app.call(savedSearchRoutes.list, {}, user)).body).toEqual([]);
});

test("the reader's own branches are searched, left out on request, and named", async () => {
  const body = { content: 'export const platypus = 1;\n' };
  await app.call(ideRoutes.save, { params: { id: ids.net!, '*': 'own.ts' }, body }, user);
  const ownBranches = (found: Awaited<ReturnType<typeof find>>) =>
    found.projects.flatMap(({ name, own_branch }) => (own_branch ? [[name, own_branch]] : []));
  const included = await find('platypus', { match: 'exact' });
  expect([names(included), ownBranches(included)]).toEqual([['own.ts'], [['net', 'searched']]]);
  const without = await find('platypus', { match: 'exact', own_branches: 'false' });
  expect([names(without), ownBranches(without)]).toEqual([[], [['net', 'left_out']]]);
  expect(names(await find('platyp[a-z]+', { match: 'regex' }))).toEqual(['own.ts']);
  expect(names(await find('(platypu)s|(x)\\2', { match: 'regex' }))).toEqual(['own.ts']);
});
