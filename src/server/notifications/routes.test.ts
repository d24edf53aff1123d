import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { authRoutes } from '#contract/auth.ts';
import type { SocketMessage } from '#contract/events.ts';
import { historyRoutes } from '#contract/history.ts';
import { type Notification, notificationRoutes } from '#contract/notifications.ts';
import { projectRoutes } from '#contract/projects.ts';
import { createSentence } from '#contract/sentence.ts';
import { newId } from '#db/ids.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { subscribeNotifications } from './event-subscriptions.ts';
import { insertNotifications } from './queries.ts';

let repository: TestRepository;
let gitServer: GitServer;
let server: TestApp;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Count words', files: { 'count.js': 'export const one = 1;\n' } });
  });
  gitServer = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  server = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [gitServer.host] } } });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  await gitServer.close();
  await repository.remove();
});

const list = async (user: TestUser, query = {}) =>
  (await server.call(notificationRoutes.list, { query }, user)).body;
const unread = async (user: TestUser) =>
  (await server.call(notificationRoutes.unreadCount, {}, user)).body.count;
const titles = (notifications: Notification[]) => notifications.map(({ title }) => title);

/** Waits until the user has this many notifications. */
async function waitForCount(user: TestUser, count: number): Promise<Notification[]> {
  for (let round = 0; round < 3_600; round++) {
    const found = await list(user);
    if (found.length >= count) return found;
    await sleep(25);
  }
  throw new Error(`there never were ${count} notifications`);
}

async function emit(user: TestUser, project: string, key: string = newId()) {
  return await insertNotifications(server.deps.db, {
    userIds: [user.id],
    key,
    type: 'success',
    title: createSentence('notifications.event.project_ready.title', { project }),
    message: createSentence('notifications.event.project_ready.message', { project, count: 1 }),
    actionUrl: '/projects/x',
  });
}

test('notifications are paged, counted and marked as read', async () => {
  const user = await server.signUp();
  for (const name of ['one', 'two', 'three']) await emit(user, name);
  expect(titles(await list(user))).toEqual(['three is ready', 'two is ready', 'one is ready']);
  expect(titles(await list(user, { skip: '1', limit: '1' }))).toEqual(['two is ready']);
  expect(await unread(user)).toBe(3);

  const [newest] = await list(user);
  expect(newest).toMatchObject({
    type: 'success',
    message: '1 commit indexed. Search it or paste an error.',
    sentence: { title: { code: 'notifications.event.project_ready.title', params: { project: 'three' } } },
    read: false,
    action_url: '/projects/x',
  });
  const read = await server.call(notificationRoutes.read, { params: { id: newest!.id } }, user);
  expect(read.body).toMatchObject({ id: newest!.id, read: true });
  expect(await unread(user)).toBe(2);
  expect(titles(await list(user, { unread: 'true' }))).toEqual(['two is ready', 'one is ready']);

  await server.call(notificationRoutes.readAll, {}, user);
  expect(await unread(user)).toBe(0);
  expect(await list(user)).toHaveLength(3);
});

test('a deleted notification can be restored', async () => {
  const user = await server.signUp();
  const [row] = await emit(user, 'one');
  const params = { id: row!.id };
  await server.call(notificationRoutes.remove, { params }, user);
  expect([await list(user), await unread(user)]).toEqual([[], 0]);
  expect((await server.call(notificationRoutes.remove, { params }, user)).status).toBe(404);
  const restored = await server.call(notificationRoutes.restore, { params }, user);
  expect(restored.body).toMatchObject({ id: row!.id, read: false });
  expect(await unread(user)).toBe(1);
});

test("another user's notifications are not found and unchanged", async () => {
  const [user, eve] = [await server.signUp(), await server.signUp()];
  const [row] = await emit(user, 'one');
  const params = { id: row!.id };
  for (const route of [notificationRoutes.read, notificationRoutes.remove, notificationRoutes.restore]) {
    expect((await server.call(route, { params }, eve)).status).toBe(404);
  }
  await server.call(notificationRoutes.readAll, {}, eve);
  expect(await list(eve)).toEqual([]);
  expect(await list(user)).toMatchObject([{ id: row!.id, read: false }]);
});

test('one event creates one notification across processes', async () => {
  const user = await server.signUp();
  const made = await Promise.all(Array.from({ length: 8 }, () => emit(user, 'one', 'the same event')));
  expect(made.flat()).toHaveLength(1);
  await server.call(notificationRoutes.remove, { params: { id: made.flat()[0]!.id } }, user);
  expect(await emit(user, 'one', 'the same event')).toEqual([]);
});

test('two processes receiving one event notify once', async () => {
  const user = await server.signUp();
  const other = fastify();
  subscribeNotifications(other, server.deps);
  server.deps.events.emit({ type: 'plan-changed', userId: user.id, plan: 'pro' });
  server.deps.events.emit({ type: 'plan-changed', userId: user.id, plan: 'free' });
  await waitForCount(user, 2);
  await other.close();
  expect(titles(await list(user)).sort()).toEqual(['Your plan is now Free', 'Your plan is now Pro']);
});

test('repeated events create separate notifications', async () => {
  const user = await server.signUp();
  server.deps.events.emit({ type: 'password-changed', userId: user.id });
  server.deps.events.emit({ type: 'password-changed', userId: user.id });
  expect(await waitForCount(user, 2)).toMatchObject([{ type: 'warning', action_url: '/settings' }, {}]);
});

async function connect(user: TestUser, path = repository.name): Promise<string> {
  const body = { name: 'Words', git_url: `${gitServer.url}/${path}` };
  return (await server.call(projectRoutes.create, { body }, user)).body.id;
}

test('members are notified when a project is ready, updated or failed', async () => {
  const user = await server.signUp();
  const id = await connect(user);
  expect(await waitForCount(user, 1)).toMatchObject([
    { title: 'Words is ready', type: 'success', action_url: `/projects/${id}` },
  ]);
  // A run without new commits creates no notification.
  await server.call(projectRoutes.refresh, { params: { id } }, user);
  while ((await server.call(projectRoutes.get, { params: { id } }, user)).body.activity) await sleep(25);

  await repository.commit({ message: 'Count lines', files: { 'lines.js': 'export const two = 2;\n' } });
  const head = await repository.commit({ message: 'Count both', files: { 'both.js': 'export {};\n' } });
  await server.call(projectRoutes.refresh, { params: { id } }, user);
  expect((await waitForCount(user, 2))[0]).toMatchObject({
    title: '2 new commits in Words',
    message: `Indexed up to \`${head.slice(0, 7)}\`.`,
    type: 'info',
  });

  await connect(user, 'missing.git');
  expect((await waitForCount(user, 3))[0]).toMatchObject({
    title: 'Words could not be indexed',
    sentence: { message: { code: 'errors.repository_not_found' } },
    type: 'error',
  });
});

/** Inserts a debug session of the owner in a project that the other user is a member of. */
async function sharedSession(owner: TestUser, other: TestUser): Promise<string> {
  const { db } = server.deps;
  const [projectId, sessionId] = [newId(), newId()];
  await db
    .insertInto('projects')
    .values({ id: projectId, name: 'shared', git_url: 'https://git.example/shared', status: 'ready' })
    .execute();
  await db
    .insertInto('project_members')
    .values([
      { project_id: projectId, user_id: owner.id, role: 'owner' },
      { project_id: projectId, user_id: other.id, role: 'viewer' },
    ])
    .execute();
  await db.insertInto('debug_groups').values({ project_id: projectId, fingerprint: 'f' }).execute();
  await db
    .insertInto('debug_sessions')
    .values({
      project_id: projectId,
      id: sessionId,
      user_id: owner.id,
      number: 1,
      fingerprint: 'f',
      title: 'TypeError: `x` is undefined',
      request: '{}',
      answer: '{}',
    })
    .execute();
  return sessionId;
}

test('feedback notifies the owner of the session only', async () => {
  const [owner, other] = [await server.signUp(), await server.signUp('bea')];
  const sessionId = await sharedSession(owner, other);
  const giveFeedback = (user: TestUser, helpful: boolean) =>
    server.call(historyRoutes.giveFeedback, { body: { debug_query_id: sessionId, helpful } }, user);
  await giveFeedback(owner, true);
  await giveFeedback(other, true);
  await giveFeedback(other, true);
  await giveFeedback(other, false);
  const found = await waitForCount(owner, 2);
  expect(titles(found)).toEqual(['Your answer was marked not helpful', 'Your answer was marked helpful']);
  expect(found[1]).toMatchObject({
    message: "bea found it helpful: `TypeError: 'x' is undefined`",
    action_url: `/debug/${sessionId}`,
  });
  expect(await list(other)).toEqual([]);
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('a sign-in from a new kind of device is notified, a known kind is not', async () => {
  const user = await server.signUp();
  const signIn = (agent: string) =>
    server.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'user-agent': agent, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ username: user.email, password: user.password }).toString(),
    });
  await signIn(FIREFOX);
  expect(await waitForCount(user, 1)).toMatchObject([
    { title: 'New sign-in to your account', message: expect.stringContaining('Firefox, Linux') },
  ]);
  await signIn(FIREFOX.replaceAll('140', '141'));
  server.deps.events.emit({ type: 'plan-changed', userId: user.id, plan: 'pro' });
  expect(titles(await waitForCount(user, 2))).toEqual([
    'Your plan is now Pro',
    'New sign-in to your account',
  ]);
});

test('refresh token reuse is notified', async () => {
  const user = await server.signUp();
  const renew = (refresh_token: string) => server.call(authRoutes.refresh, { body: { refresh_token } });
  const first = await renew(user.refreshToken);
  await renew(first.body.refresh_token!);
  expect((await renew(user.refreshToken)).status).toBe(401);
  const again = await server.signIn(user);
  expect(titles(await waitForCount(again, 1))).toContain('A session was ended for your security');
});

test('the socket sends the unread count initially and after every change', async () => {
  const user = await server.signUp();
  await emit(user, 'before');
  const { port } = server.app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/notifications?token=${user.accessToken}`);
  const messages: SocketMessage[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
  const next = async () => {
    while (messages.length === 0) await once(socket, 'message');
    return messages.shift();
  };
  expect(await next()).toEqual({ type: 'notification_count_update', count: 1 });
  server.deps.events.emit({ type: 'plan-changed', userId: user.id, plan: 'free' });
  const update = await next();
  expect(update).toMatchObject({ count: 2, notification: { title: 'Your plan is now Free', read: false } });
  await server.call(notificationRoutes.readAll, {}, user);
  expect(await next()).toEqual({ type: 'notification_count_update', count: 0 });
  socket.terminate();
});

test('another replica forwards changes of this one', async () => {
  const user = await server.signUp();
  const received = new Promise<string>((settle) => {
    const stop = server.deps.events.subscribe('notifications-changed', (event) => {
      if (event.userId !== user.id) return;
      stop();
      settle(event.notificationId ?? '');
    });
  });
  server.deps.events.emit({ type: 'plan-changed', userId: user.id, plan: 'free' });
  const [row] = await waitForCount(user, 1);
  expect(await received).toBe(row!.id);
});

test('notifications about what is gone or no longer shared disappear, and a subject selects the others', async () => {
  const [ada, bob] = [await server.signUp(), await server.signUp()];
  const project = await insertTestProject(server.deps, [[ada, 'owner']]);
  const insert = (userIds: string[], name: 'project_ready' | 'password_changed', actionUrl: string | null) =>
    insertNotifications(server.deps.db, {
      userIds,
      key: newId(),
      type: 'info',
      title: createSentence(`notifications.event.${name}.title`, { project: 'shop' }),
      message: createSentence(`notifications.event.${name}.message`, { project: 'shop', count: 1 }),
      actionUrl,
    });
  await insert([ada.id, bob.id], 'project_ready', `/projects/${project}`);
  await insert([ada.id], 'project_ready', `/debug/${newId()}`);
  await insert([ada.id], 'password_changed', '/settings');
  const about = (user: TestUser, query = {}) =>
    list(user, query).then((found) => found.map((one) => one.about));
  expect(await about(ada)).toEqual(['account', 'projects']);
  expect(await unread(ada)).toBe(2);
  expect(await about(ada, { about: 'account' })).toEqual(['account']);
  expect(await about(ada, { about: 'plan' })).toEqual([]);
  expect(await about(bob)).toEqual([]);
  await server.deps.db.deleteFrom('projects').where('id', '=', project).execute();
  expect(await about(ada)).toEqual(['account']);
});
