import { access, mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { projectStorage } from '../project-data/storage.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { purgeDeleted } from './delete-account.ts';

let server: TestApp;
let admin: TestUser;

beforeAll(async () => {
  server = await testApp({ work: true });
  admin = await server.signUp('admin');
});
afterAll(() => server.close());

const DAY = 24 * 3600;
const leave = async (user: TestUser, current_password: string | undefined = user.password) =>
  await server.call(accountRoutes.remove, { body: { current_password } }, user);
const me = async (user: TestUser) => (await server.call(accountRoutes.me, {}, user)).status;
const login = async (user: TestUser) =>
  (await server.call(authRoutes.login, { body: { username: user.email, password: user.password } })).status;

/** A project with a folder, and what each of the users is in it. */
async function projectOf(members: [TestUser, 'owner' | 'viewer'][]): Promise<{ id: string; folder: string }> {
  const id = `project-${members.map(([user]) => user.username).join('-')}`;
  await server.deps.db
    .insertInto('projects')
    .values({ id, name: id, git_url: 'https://git.example/x', status: 'ready' })
    .execute();
  for (const [user, role] of members) {
    await server.deps.db
      .insertInto('project_members')
      .values({ project_id: id, user_id: user.id, role })
      .execute();
  }
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

test('who leaves shows the password, and every sign-in ends at once', async () => {
  const user = await server.signUp();
  const other = await server.signIn(user);
  expect((await leave(user, 'not this one')).status).toBe(422);
  const bare = await server.call(accountRoutes.remove, { body: {} }, user);
  expect([bare.status, bare.error?.reason]).toEqual([422, 'current_password']);
  const left = await leave(user);
  expect(left.status).toBe(200);
  const days = (Date.parse(left.body.deletion_at) - server.deps.now().getTime()) / 1000 / DAY;
  expect(Math.round(days)).toBe(14);
  expect([await me(user), await me(other)]).toEqual([401, 401]);
});

test('signing in within the fourteen days keeps the account for good', async () => {
  const user = await server.signUp();
  await leave(user);
  server.advance(13 * DAY);
  expect(await login(user)).toBe(200);
  server.advance(2 * DAY);
  await purgeDeleted(server.deps);
  expect(await login(user)).toBe(200);
});

test('afterwards account, owned projects and their folders are gone, and nothing else', async () => {
  const [user, friend] = [await server.signUp(), await server.signUp()];
  const mine = await projectOf([
    [user, 'owner'],
    [friend, 'viewer'],
  ]);
  const theirs = await projectOf([
    [friend, 'owner'],
    [user, 'viewer'],
  ]);
  await leave(user);
  await purgeDeleted(server.deps);
  expect(await exists(mine.folder)).toBe(true);
  server.advance(14 * DAY + 1);
  await purgeDeleted(server.deps);
  await purgeDeleted(server.deps);

  expect(await login(user)).toBe(401);
  const rows = await server.deps.db.selectFrom('users').select('id').where('id', '=', user.id).execute();
  expect(rows).toEqual([]);
  expect([await projectRow(mine.id), await exists(mine.folder)]).toEqual([undefined, false]);
  expect([await projectRow(theirs.id), await exists(theirs.folder)]).toEqual([{ id: theirs.id }, true]);
  expect(await login(friend)).toBe(200);
});

test('the only administrator stays while others are here', async () => {
  const again = await server.signIn(admin);
  const refused = await leave(again);
  expect([refused.status, refused.error?.reason]).toEqual([409, 'last_admin']);
  const heir = await server.signUp();
  await server.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', heir.id).execute();
  expect((await leave(again)).status).toBe(200);
  const last = await leave(await server.signIn(heir));
  expect([last.status, last.error?.reason]).toEqual([409, 'last_admin']);
});
