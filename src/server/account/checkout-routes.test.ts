import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { checkoutRoutes } from '#contract/checkouts.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';

let app: TestApp;
let ada: TestUser;
let ben: TestUser;
let project: string;

beforeAll(async () => {
  app = await testApp();
  ada = await app.signUp('ada');
  ben = await app.signUp('ben');
  project = await insertTestProject(app.deps, [
    [ada, 'owner'],
    [ben, 'viewer'],
  ]);
});
afterAll(async () => {
  await app.close();
});

const save = async (folder: string | null, as = ben) =>
  await app.call(checkoutRoutes.save, { params: { id: project }, body: { folder } }, as);
const list = async (as = ben) => (await app.call(checkoutRoutes.list, {}, as)).body.checkouts;

test('a clone is saved for its reader alone, replaced, and ends with the access to the project', async () => {
  expect((await save(' /home/ben/words ')).body).toEqual({ folder: '/home/ben/words' });
  expect((await save('C:\\words')).status).toBe(200);
  expect(await list()).toEqual([{ project_id: project, project_name: 'Words', folder: 'C:\\words' }]);
  expect(await list(ada)).toEqual([]);
  const eve = await app.signUp('eve');
  expect((await save('/x', eve)).status).toBe(404);
  for (const folder of ['', ' ', 'a\nb', 'x'.repeat(501)]) expect((await save(folder)).status).toBe(422);
  await save('/home/ada/words', ada);
  expect((await save(null, ada)).body).toEqual({ folder: null });
  expect(await list(ada)).toEqual([]);
  await app.deps.db
    .deleteFrom('project_members')
    .where('project_id', '=', project)
    .where('user_id', '=', ben.id)
    .execute();
  expect(await list()).toEqual([]);
});

test('the editor is a preference', async () => {
  const update = async (local_editor: string | null) =>
    await app.call(accountRoutes.updateProfile, { body: { preferences: { local_editor } } } as never, ada);
  expect((await update('zed')).body.preferences.local_editor).toBe('zed');
  expect((await update('notepad')).status).toBe(422);
  expect((await update(null)).body.preferences.local_editor).toBeNull();
});
