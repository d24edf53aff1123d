import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Notification, notificationRoutes } from '#contract/notifications.ts';
import { projectRoutes } from '#contract/projects.ts';
import { MAX_WATCHES, watchRoutes } from '#contract/watches.ts';
import { newId } from '#db/ids.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { errorChangedNotification, watchedErrorAssignedNotification } from './error-notifications.ts';
import { isWatchableQuery } from './match-watch.ts';
import { insertNotifications } from './queries.ts';

const CART = 'src/cart.js';
const code = (total: string) =>
  `function total(cart) {\n  return ${total};\n}\n\nfunction count(cart) {\n  return cart.items.length;\n}\n`;

let repository: TestRepository;
let server: GitServer;
let app: TestApp;
let ada: TestUser;
let ben: TestUser;
let project: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Add the cart', files: { [CART]: code('cart.total'), 'docs/a.md': 'A\n' } });
  });
  server = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [server.host] } } });
  ada = await app.signUp('ada');
  ben = await app.signUp('ben');
  const git_url = `${server.url}/${repository.name}`;
  project = (await app.call(projectRoutes.create, { body: { name: 'Shop', git_url } }, ada)).body.id;
  await untilIndexed(await repository.head());
  await addMember(ben);
});
afterAll(async () => {
  await app.close();
  await server.close();
  await repository.remove();
});

async function addMember({ id: user_id }: TestUser): Promise<void> {
  const role = { role: 'viewer' as const, direct_role: 'viewer' as const };
  await app.deps.db
    .insertInto('project_members')
    .values({ project_id: project, user_id, ...role })
    .execute();
}

async function untilIndexed(commit: string): Promise<void> {
  const read = async () =>
    (await app.call(projectRoutes.get, { params: { id: project } }, ada)).body.indexed_commit;
  while ((await read()) !== commit) await sleep(50);
}

const watch = async (values: object, as = ben) =>
  await app.call(watchRoutes.create, { body: { project_id: project, ...values } as never }, as);
const listWatches = async (as = ben) => (await app.call(watchRoutes.list, { query: {} }, as)).body.watches;
const ofWatches = async (as = ben): Promise<Notification[]> =>
  (await app.call(notificationRoutes.list, { query: { about: 'watches' } }, as)).body;

test('new commits notify those who watch their path, function, author or words, once per watch', {
  timeout: 120_000,
}, async () => {
  const created = [
    await watch({ kind: 'path', value: './src/' }),
    await watch({ kind: 'path', value: 'docs' }),
    await watch({ kind: 'function', value: 'total', path: CART }),
    await watch({ kind: 'function', value: 'count', path: CART }),
    await watch({ kind: 'author', value: 'grace@' }),
    await watch({ kind: 'author', value: 'Nobody' }),
    await watch({ kind: 'query', value: 'discounts' }),
    await watch({ kind: 'query', value: 'applyVoucher', match: 'exact' }),
    await watch({ kind: 'query', value: 'type:commits applyVoucher' }),
  ];
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
  // The same again is the same.
  expect((await watch({ kind: 'path', value: 'src' })).body.id).toBe(created[0]!.body.id);

  const author = { author: 'Grace', email: 'grace@example.org' };
  const first = await repository.commit({
    ...{ message: 'Apply a discount', ...author },
    files: { [CART]: code('applyVoucher(cart.total)') },
  });
  const second = await repository.commit({
    ...{ message: 'Round totals', ...author },
    files: { [CART]: code('Math.round(applyVoucher(cart.total))') },
  });
  await app.call(projectRoutes.refresh, { params: { id: project } }, ada);
  await untilIndexed(second);
  await expect.poll(() => ofWatches(), { timeout: 110_000 }).toHaveLength(5);
  const found = (await ofWatches()).map(({ watch: by, title, action_url }) => [by?.label, title, action_url]);
  const both = '2 new commits in Shop match your watch';
  const one = '1 new commit in Shop matches your watch';
  const page = (commit: string) => `/projects/${project}/commits/${commit}`;
  expect(found.sort()).toEqual([
    ['applyVoucher', both, page(second)],
    ['discounts', one, page(first)],
    ['grace@', both, page(second)],
    ['src', both, page(second)],
    ['total', both, page(second)],
  ]);
  const ofFolder = (await ofWatches()).find(({ watch: by }) => by?.label === 'src');
  expect(ofFolder!.message).toBe(`Latest match of \`src\`: \`${second.slice(0, 7)}\` \`Round totals\``);
  expect(await ofWatches(ada)).toEqual([]);
  const matched = (await listWatches()).filter(({ last_match_at }) => last_match_at !== null);
  expect(matched.map(({ label }) => label).sort()).toEqual(found.map(([label]) => label));
});

test('one’s own commits notify no one', { timeout: 120_000 }, async () => {
  await watch({ kind: 'path', value: 'own' }, ada);
  await watch({ kind: 'path', value: 'other' }, ada);
  await app.deps.db
    .updateTable('users')
    .set({ email_verified_at: new Date(), email: 'ada@own.example' })
    .where('id', '=', ada.id)
    .execute();
  const own = { author: 'Ada', email: 'Ada@own.example' };
  await repository.commit({ message: 'Mine', ...own, files: { 'own/a.md': 'a\n' } });
  const head = await repository.commit({ message: 'Theirs', files: { 'other/a.md': 'a\n' } });
  await app.call(projectRoutes.refresh, { params: { id: project } }, ada);
  await untilIndexed(head);
  await expect
    .poll(() => ofWatches(ada), { timeout: 110_000 })
    .toMatchObject([{ watch: { label: 'other' } }]);
});

async function addError(
  title: string,
  values: { event_count?: number } = { event_count: 1 },
): Promise<string> {
  const { id } = await app.deps.db
    .insertInto('debug_groups')
    .values({ project_id: project, fingerprint: newId(), title, culprit: `total · ${CART}`, ...values })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function assign(errorId: string, { id: assignee_id }: TestUser): Promise<void> {
  await app.deps.db
    .updateTable('debug_groups')
    .set({ assignee_id })
    .where('project_id', '=', project)
    .where('id', '=', errorId)
    .execute();
}

test('an error notifies its watchers besides its assignee, and says so', async () => {
  const errorId = await addError('TypeError: no voucher');
  expect((await watch({ kind: 'error', value: errorId })).body.label).toBe('TypeError: no voucher');
  await watch({ kind: 'query', value: 'voucher type:errors' });
  await assign(errorId, ada);
  const regressed = await errorChangedNotification(app.deps, { errorId, change: 'regressed' });
  expect([...regressed!.userIds].sort()).toEqual([ada.id, ben.id].sort());
  await insertNotifications(app.deps.db, regressed!);
  const newest = async (as: TestUser) =>
    (await app.call(notificationRoutes.list, { query: { about: 'errors' } }, as)).body[0]?.watch;
  expect(await newest(ben)).toMatchObject({ kind: 'error', label: 'TypeError: no voucher' });
  expect(await newest(ada)).toBeNull();
  const created = await errorChangedNotification(app.deps, { errorId, change: 'new' });
  expect(created!.watches!.get(ben.id)).toMatchObject({ kind: 'error' });
});

test('watchers receive to whom an error was assigned, its assignee does not', async () => {
  const errorId = await addError('RangeError: no cart');
  await watch({ kind: 'error', value: errorId });
  await watch({ kind: 'error', value: errorId }, ada);
  await assign(errorId, ada);
  const assigned = { errorId, change: 'assigned', byId: ada.id } as const;
  expect(await errorChangedNotification(app.deps, assigned)).toBeNull();
  const sent = await watchedErrorAssignedNotification(app.deps, assigned);
  expect(sent!.userIds).toEqual([ben.id]);
  expect(sent!.title.params).toMatchObject({ assignee: ada.username });
});

test('an error that only another user has seen cannot be watched', async () => {
  const errorId = await addError('TypeError: draft', {});
  expect((await watch({ kind: 'error', value: errorId })).status).toBe(404);
});

test.each([
  ['a function without its file', { kind: 'function', value: 'total' }, 422],
  ['an empty path', { kind: 'path', value: '/' }, 422],
  ['a search of chats', { kind: 'query', value: 'type:chats boom' }, 422],
  ['a revision', { kind: 'query', value: 'rev:v1 boom' }, 422],
  ['an unknown error', { kind: 'error', value: 'none' }, 404],
  ['an unknown kind', { kind: 'team', value: 'x' }, 422],
  ['an endless value', { kind: 'author', value: 'x'.repeat(501) }, 422],
])('%s cannot be watched', async (_case, values, status) => {
  expect((await watch(values)).status).toBe(status);
});

test.each([
  ['cart total', true],
  ['type:commits author:Ada', true],
  ['author:Ada', false],
  ['/tot.l/', true],
  ['/(/', false],
  ['type:code', false],
  ['type:errors boom', true],
  ['date:2026 boom', false],
])('the search %s can be watched: %s', (query, expected) => {
  expect(isWatchableQuery(query, 'words')).toBe(expected);
});

test('others see and end no watch; leaving the project ends all', async () => {
  const eve = await app.signUp('eve');
  expect((await watch({ kind: 'author', value: 'x' }, eve)).status).toBe(404);
  const [mine] = await listWatches();
  expect((await app.call(watchRoutes.remove, { params: { id: mine!.id } }, eve)).status).toBe(404);
  expect((await app.call(watchRoutes.remove, { params: { id: mine!.id } }, ben)).status).toBe(200);
  await addMember(eve);
  await watch({ kind: 'author', value: 'x' }, eve);
  await app.deps.db
    .deleteFrom('project_members')
    .where('project_id', '=', project)
    .where('user_id', '=', eve.id)
    .execute();
  expect(await listWatches(eve)).toEqual([]);
});

test('a user has at most a hundred watches, also created at once', async () => {
  const known = (await listWatches(ada)).length;
  const rows = Array.from({ length: MAX_WATCHES - known - 1 }, (_, n) => ({
    ...{
      project_id: project,
      id: newId(),
      user_id: ada.id,
      kind: 'author' as const,
      value: `a${n}`,
      path: '',
    },
    match: 'words' as const,
  }));
  await app.deps.db.insertInto('watches').values(rows).execute();
  const replies = await Promise.all(['b', 'c', 'd'].map((value) => watch({ kind: 'author', value }, ada)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});
