import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { auditRoutes } from '#contract/audit.ts';
import { keyRoutes } from '#contract/keys.ts';
import { projectRoutes } from '#contract/projects.ts';
import type { RouteInput } from '#contract/route.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';

let app: TestApp;
let ada: TestUser;

beforeAll(async () => {
  app = await testApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.close());

type KeyBody = RouteInput<typeof keyRoutes.create>['body'];

const createKey = async (body: Partial<KeyBody> = {}) =>
  await app.call(keyRoutes.create, { body: { name: 'CI', scope: 'read', ...body } }, ada);
/** Test user authenticated by this key. */
const userWithKey = (key: string): TestUser => ({ ...ada, accessToken: key });
const list = async () => (await app.call(keyRoutes.list, {}, ada)).body.keys;

const ownProject = async () => await insertTestProject(app.deps, [[ada, 'owner']]);

test('a key is returned once, stored hashed, and has its owner’s access', async () => {
  const { status, body } = await createKey({ name: 'Nightly' });
  expect(status).toBe(201);
  expect(body.key).toMatch(/^hs_[\w-]{43}$/);
  expect(body.prefix).toBe(body.key.slice(0, 9));
  const rows = await app.deps.db.selectFrom('api_keys').selectAll().execute();
  expect(JSON.stringify([rows, await list()])).not.toContain(body.key);
  const me = await app.call(accountRoutes.me, {}, userWithKey(body.key));
  expect(me.body.username).toBe('ada');
});

test('the last use is recorded', async () => {
  const { body } = await createKey({ name: 'Used' });
  const lastUse = async () => (await list()).find(({ id }) => id === body.id)!.last_used_at;
  expect(await lastUse()).toBeNull();
  await app.call(projectRoutes.list, {}, userWithKey(body.key));
  expect(await lastUse()).not.toBeNull();
});

test('a revoked key is rejected', async () => {
  const { body } = await createKey();
  expect((await app.call(projectRoutes.list, {}, userWithKey(body.key))).status).toBe(200);
  expect((await app.call(keyRoutes.revoke, { params: { id: body.id } }, ada)).status).toBe(200);
  expect((await app.call(projectRoutes.list, {}, userWithKey(body.key))).status).toBe(401);
  expect((await list()).map(({ id }) => id)).not.toContain(body.id);
});

test('an expiring key is rejected afterwards, and a permanent one is not', async () => {
  const [short, long] = [(await createKey({ expires_in_days: 30 })).body, (await createKey()).body];
  expect(short.expires_at).not.toBeNull();
  app.advance(31 * 24 * 3600);
  const answers = await Promise.all(
    [short, long].map(async ({ key }) => (await app.call(projectRoutes.list, {}, userWithKey(key))).status),
  );
  app.advance(-31 * 24 * 3600);
  expect(answers).toEqual([401, 200]);
});

test('a project-scoped key is limited to its project', async () => {
  const [one, two] = [await ownProject(), await ownProject()];
  const { body } = await createKey({ project_id: one });
  expect(body.project).toEqual({ id: one, name: 'Words' });
  const seen = (await app.call(projectRoutes.list, {}, userWithKey(body.key))).body.map(({ id }) => id);
  expect(seen).toEqual([one]);
  const status = async (id: string) =>
    (await app.call(projectRoutes.get, { params: { id } }, userWithKey(body.key))).status;
  expect([await status(one), await status(two)]).toEqual([200, 404]);
});

test('a key loses access with its owner', async () => {
  const id = await ownProject();
  const { body } = await createKey();
  await app.deps.db.deleteFrom('project_members').where('project_id', '=', id).execute();
  expect((await app.call(projectRoutes.get, { params: { id } }, userWithKey(body.key))).status).toBe(404);
});

test('an administrator’s key has no admin access', async () => {
  const { body } = await createKey({ scope: 'write' });
  expect((await app.call(auditRoutes.all, { query: {} }, ada)).status).toBe(200);
  expect((await app.call(auditRoutes.all, { query: {} }, userWithKey(body.key))).status).toBe(401);
});

test('creating a key requires reauthentication for an old session', async () => {
  app.advance(11 * 60);
  const replies = [
    await createKey(),
    await createKey({ current_password: 'wrong' }),
    await createKey({ current_password: ada.password }),
  ];
  app.advance(-11 * 60);
  expect(replies.map(({ status }) => status)).toEqual([422, 422, 201]);
});

test.each(['hs_', 'hs_x', `hs_${'A'.repeat(43)}`, `hs_${'a'.repeat(5000)}`])(
  '%j is not a valid key',
  async (key) => {
    expect((await app.call(projectRoutes.list, {}, userWithKey(key))).status).toBe(401);
  },
);

test('former members do not see the current name of a key’s project', async () => {
  const project_id = await ownProject();
  const { id } = (await createKey({ project_id })).body;
  const listed = async () => (await list()).find((key) => key.id === id)?.project;
  expect(await listed()).toEqual({ id: project_id, name: 'Words' });
  await app.deps.db.deleteFrom('project_members').where('project_id', '=', project_id).execute();
  await app.deps.db.updateTable('projects').set({ name: 'Secret' }).where('id', '=', project_id).execute();
  expect(await listed()).toEqual({ id: project_id, name: null });
});

test('a user has at most fifty keys', async () => {
  const before = (await list()).length;
  for (let index = before; index < 50; index++) expect((await createKey()).status).toBe(201);
  expect(await createKey()).toMatchObject({ status: 409, error: { reason: 'too_many_keys' } });
});

test('creation and revocation are audited without the key', async () => {
  const { body, raw } = await app.call(auditRoutes.mine, { query: { limit: '200' } }, ada);
  expect(body.events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['key_created', 'key_revoked']),
  );
  expect(raw.body).not.toMatch(/hs_[\w-]{43}/);
});
