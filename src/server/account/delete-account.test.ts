import { access, mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { projectStorage } from '../project-data/storage.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { purgeDeleted } from './delete-account.ts';

let server: TestApp;
let admin: TestUser;

beforeAll(async () => {
  server = await testApp({ work: true });
  admin = await server.signUp('admin');
});
afterAll(() => server.close());

const DAY = 24 * 3600;
const requestDeletion = async (user: TestUser, current_password: string | undefined = user.password) =>
  await server.call(accountRoutes.remove, { body: { current_password } }, user);
const me = async (user: TestUser) => (await server.call(accountRoutes.me, {}, user)).status;
const login = async (user: TestUser) =>
  (await server.call(authRoutes.login, { body: { username: user.email, password: user.password } })).status;

/** Creates a project with a folder and the given members. */
async function createProject(
  members: [TestUser, 'owner' | 'viewer'][],
): Promise<{ id: string; folder: string }> {
  const id = await insertTestProject(server.deps, members);
  const folder = projectStorage(server.deps.config.dataDir, id).root;
  await mkdir(folder, { recursive: true });
  return { id, folder };
}
const exists = async (path: string) =>
  await access(path).then(
    () => true,
    () => false,
  );
const projectRow = async (id: string) =>
  await server.deps.db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst();

test('account deletion requires the password and revokes all sessions', async () => {
  const user = await server.signUp();
  const other = await server.signIn(user);
  expect((await requestDeletion(user, 'not this one')).status).toBe(422);
  const withoutPassword = await server.call(accountRoutes.remove, { body: {} }, user);
  expect([withoutPassword.status, withoutPassword.error?.reason]).toEqual([422, 'current_password']);
  const reply = await requestDeletion(user);
  expect(reply.status).toBe(200);
  const days = (Date.parse(reply.body.deletion_at) - server.deps.now().getTime()) / 1000 / DAY;
  expect(Math.round(days)).toBe(14);
  expect([await me(user), await me(other)]).toEqual([401, 401]);
});

test('signing in during the grace period cancels the deletion', async () => {
  const user = await server.signUp();
  await requestDeletion(user);
  server.advance(13 * DAY);
  expect(await login(user)).toBe(200);
  server.advance(2 * DAY);
  await purgeDeleted(server.deps);
  expect(await login(user)).toBe(200);
});

test('the purge deletes the account, its projects and their files only', async () => {
  const [user, friend] = [await server.signUp(), await server.signUp()];
  const ownedProject = await createProject([
    [user, 'owner'],
    [friend, 'viewer'],
  ]);
  const joinedProject = await createProject([
    [friend, 'owner'],
    [user, 'viewer'],
  ]);
  await requestDeletion(user);
  await purgeDeleted(server.deps);
  expect(await exists(ownedProject.folder)).toBe(true);
  server.advance(14 * DAY + 1);
  await purgeDeleted(server.deps);
  await purgeDeleted(server.deps);

  expect(await login(user)).toBe(401);
  const rows = await server.deps.db.selectFrom('users').select('id').where('id', '=', user.id).execute();
  expect(rows).toEqual([]);
  expect([await projectRow(ownedProject.id), await exists(ownedProject.folder)]).toEqual([undefined, false]);
  expect([await projectRow(joinedProject.id), await exists(joinedProject.folder)]).toEqual([
    { id: joinedProject.id },
    true,
  ]);
  expect(await login(friend)).toBe(200);
});

test('the last administrator cannot be deleted while other accounts exist', async () => {
  const adminSession = await server.signIn(admin);
  const refused = await requestDeletion(adminSession);
  expect([refused.status, refused.error?.reason]).toEqual([409, 'last_admin']);
  const newAdmin = await server.signUp();
  await server.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', newAdmin.id).execute();
  expect((await requestDeletion(adminSession)).status).toBe(200);
  const secondReply = await requestDeletion(await server.signIn(newAdmin));
  expect([secondReply.status, secondReply.error?.reason]).toEqual([409, 'last_admin']);
});
