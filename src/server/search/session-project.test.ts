import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { authRoutes } from '#contract/auth.ts';
import { searchRoutes } from '#contract/search.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';

let app: TestApp;
let user: TestUser;
let project_id: string;

beforeAll(async () => {
  app = await testApp();
  user = await app.signUp();
  project_id = await insertTestProject(app.deps, [[user, 'owner']]);
});
afterAll(() => app?.close());

const search = async (who: TestUser, id = project_id) =>
  (await app.call(searchRoutes.search, { query: { project_id: id, q: 'basket' } }, who)).status;

test('a search reads session, membership and branch by one query', async () => {
  const query = vi.spyOn(app.deps.db, 'executeQuery');
  // Nothing is indexed, which is found out after access is granted.
  expect(await search(user)).toBe(503);
  expect(query).toHaveBeenCalledOnce();
  query.mockRestore();
});

test('projects of others, other ids and hostile ids are not found', async () => {
  expect(await search(await app.signUp())).toBe(404);
  expect(await search(user, 'a'.repeat(36))).toBe(404);
  expect(await search(user, "' or true --")).toBe(404);
  expect(await search(user, 'a\0b')).toBe(422);
});

test('a removed member and an ended session are refused by the next search', async () => {
  const member = await app.signUp();
  const { db } = app.deps;
  await db.insertInto('project_members').values({ project_id, user_id: member.id, role: 'viewer' }).execute();
  expect(await search(member)).toBe(503);
  await db.deleteFrom('project_members').where('user_id', '=', member.id).execute();
  expect(await search(member)).toBe(404);
  await app.call(authRoutes.logout, {}, member);
  expect(await search(member)).toBe(401);
});
