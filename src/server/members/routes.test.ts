import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRoutes } from '#contract/audit.ts';
import { memberRoutes } from '#contract/members.ts';
import { notificationRoutes } from '#contract/notifications.ts';
import { projectRoutes } from '#contract/projects.ts';
import { newId } from '#db/ids.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let app: TestApp;
let ada: TestUser;
let bea: TestUser;
let cid: TestUser;

beforeAll(async () => {
  app = await testApp({ work: true });
  [ada, bea, cid] = [await app.signUp('ada'), await app.signUp('bea'), await app.signUp('cid')];
});
afterAll(() => app.close());

/** A project of ada's, with nobody else in it. */
async function ownProject(): Promise<{ id: string }> {
  const id = newId();
  const row = { id, name: 'Words', git_url: 'https://git.example/words', status: 'ready' as const };
  await app.deps.db.insertInto('projects').values(row).execute();
  await app.deps.db
    .insertInto('project_members')
    .values({ project_id: id, user_id: ada.id, role: 'owner' })
    .execute();
  return { id };
}

const add = async (params: { id: string }, who: string, role: 'editor' | 'viewer' = 'viewer') =>
  await app.call(memberRoutes.add, { params, body: { identifier: who, role } }, ada);
const list = async (params: { id: string }, as = ada) => await app.call(memberRoutes.list, { params }, as);
const sees = async (params: { id: string }, as: TestUser) =>
  (await app.call(projectRoutes.get, { params }, as)).status === 200;

test('somebody is let in by username or email, in any case, and finds the project', async () => {
  const project = await ownProject();
  expect(await sees(project, bea)).toBe(false);
  expect(await add(project, 'BEA', 'editor')).toMatchObject({
    status: 201,
    body: { username: 'bea', role: 'editor' },
  });
  expect((await add(project, 'Cid@Example.org')).body).toMatchObject({ user_id: cid.id, role: 'viewer' });
  expect(await sees(project, bea)).toBe(true);
  const { body } = await list(project);
  expect(body.members.map(({ username, role, is_self: you }) => [username, role, you])).toEqual([
    ['ada', 'owner', true],
    ['bea', 'editor', false],
    ['cid', 'viewer', false],
  ]);
  expect(body.members[1]!.email).toBe('bea@example.org');
});

test('addresses and invitations are for the owner alone', async () => {
  const project = await ownProject();
  await add(project, 'bea', 'editor');
  await app.call(memberRoutes.invite, { params: project, body: { role: 'viewer' } }, ada);
  const { body } = await list(project, bea);
  expect(body.members.map(({ email }) => email)).toEqual([null, null]);
  expect(body.invitations).toEqual([]);
});

test('who is let in hears from whom', async () => {
  const project = await ownProject();
  await add(project, 'cid');
  await expect
    .poll(async () =>
      (await app.call(notificationRoutes.list, { query: {} }, cid)).body.map(({ message, title }) => [
        title,
        message,
      ]),
    )
    .toContainEqual(['ada shared Words with you', 'You find it among your projects.']);
});

test.each([
  ['nobody', 400, 'no_account'],
  ['nobody@example.org', 400, 'no_account'],
  ['ada', 409, 'is_member'],
])('%s cannot be added, in words at the field', async (who, status, reason) => {
  const project = await ownProject();
  const reply = await add(project, who);
  expect(reply).toMatchObject({ status, error: { reason, fields: { who: expect.any(String) } } });
});

test('a role is changed, and the owner keeps theirs until the project is handed over', async () => {
  const project = await ownProject();
  await add(project, 'bea');
  const change = (user: string, role: 'editor' | 'viewer') =>
    app.call(memberRoutes.updateRole, { params: { ...project, user }, body: { role } }, ada);
  expect((await change(bea.id, 'editor')).body).toMatchObject({ username: 'bea', role: 'editor' });
  expect(await change(ada.id, 'viewer')).toMatchObject({ status: 409, error: { reason: 'is_owner' } });
  expect((await change(cid.id, 'viewer')).status).toBe(404);
});

test('a member is taken out or leaves, at once; the owner cannot', async () => {
  const project = await ownProject();
  await add(project, 'bea');
  await add(project, 'cid');
  const out = await app.call(memberRoutes.remove, { params: { ...project, user: bea.id } }, ada);
  expect(out.status).toBe(200);
  expect(await sees(project, bea)).toBe(false);
  expect((await app.call(memberRoutes.leave, { params: project }, cid)).status).toBe(200);
  expect(await sees(project, cid)).toBe(false);
  expect(await app.call(memberRoutes.leave, { params: project }, ada)).toMatchObject({
    status: 409,
    error: { reason: 'is_owner' },
  });
});

test('a project is handed over to a member: one owner before, one after', async () => {
  const project = await ownProject();
  const transfer = (user_id: string, more: object = {}) =>
    app.call(memberRoutes.transfer, { params: project, body: { user_id, ...more } }, ada);
  expect((await transfer(cid.id)).status).toBe(404);
  expect((await transfer(ada.id)).status).toBe(404);
  await add(project, 'cid');
  expect((await transfer(cid.id)).status).toBe(200);
  expect((await list(project, cid)).body.members.map(({ username, role }) => [username, role])).toEqual([
    ['cid', 'owner'],
    ['ada', 'editor'],
  ]);
  expect((await transfer(ada.id)).status).toBe(409);
});

test('handing over asks for the password when the sign-in is old', async () => {
  const project = await ownProject();
  await add(project, 'cid');
  app.advance(11 * 60);
  const transfer = (more: object) =>
    app.call(memberRoutes.transfer, { params: project, body: { user_id: cid.id, ...more } }, ada);
  expect(await transfer({})).toMatchObject({ status: 422, error: { reason: 'current_password' } });
  expect((await transfer({ current_password: 'wrong' })).status).toBe(422);
  expect((await transfer({ current_password: ada.password })).status).toBe(200);
  app.advance(-11 * 60);
});

const invite = async (params: { id: string }, body: { role: 'editor' | 'viewer'; email?: string }) =>
  (await app.call(memberRoutes.invite, { params, body }, ada)).body;
const secretOf = ({ link }: { link: string }) => new URL(link).hash.slice(1);
const accept = async (invitation: string, as: TestUser) =>
  await app.call(memberRoutes.accept, { body: { token: invitation } }, as);
const look = async (invitation: string, as: TestUser) =>
  await app.call(memberRoutes.preview, { body: { token: invitation } }, as);

test('an invitation says what it is for, works once, and tells who made it', async () => {
  const project = await ownProject();
  const made = await invite(project, { role: 'editor' });
  expect(made.link).toMatch(/^http:\/\/localhost\/invitation#[\w-]{43}$/);
  expect((await look(secretOf(made), bea)).body).toMatchObject({
    project_name: 'Words',
    invited_by: 'ada',
    role: 'editor',
    project_id: null,
  });
  expect(await accept(secretOf(made), bea)).toMatchObject({ status: 200, body: { project_id: project.id } });
  expect((await list(project)).body).toMatchObject({ invitations: [], members: [{}, { role: 'editor' }] });
  expect((await accept(secretOf(made), cid)).status).toBe(404);
  await expect
    .poll(async () =>
      (await app.call(notificationRoutes.list, { query: {} }, ada)).body.map(({ title }) => title),
    )
    .toContain('bea joined Words');
});

test('of two who take one invitation at once, one comes in', async () => {
  const project = await ownProject();
  const secret = secretOf(await invite(project, { role: 'viewer' }));
  const replies = await Promise.all([accept(secret, bea), accept(secret, cid)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect((await list(project)).body.members).toHaveLength(2);
});

test('an invitation is stored as a digest, and no reply but the first holds it', async () => {
  const project = await ownProject();
  const made = await invite(project, { role: 'viewer' });
  const rows = await app.deps.db.selectFrom('project_invitations').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(secretOf(made));
  expect((await list(project)).raw.body).not.toContain(secretOf(made));
});

test('one to an address is for the account with it alone', async () => {
  const project = await ownProject();
  const secret = secretOf(await invite(project, { role: 'viewer', email: 'CID@example.org' }));
  expect((await look(secret, bea)).status).toBe(404);
  expect((await accept(secret, bea)).status).toBe(404);
  expect((await accept(secret, cid)).status).toBe(200);
});

test('one by email is written in a letter too, which does not name the project', async () => {
  const project = await ownProject();
  const { link } = await invite(project, { role: 'viewer', email: 'new@example.org' });
  const folder = join(app.deps.config.dataDir, 'mail');
  const letters = async () => {
    const names = await readdir(folder).catch(() => []);
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('');
  };
  await expect.poll(letters, { timeout: 60_000 }).toContain(link);
  expect(await letters()).toMatch(/^To: new@example\.org$/m);
  expect(await letters()).not.toContain('Words');
});

test('one that was withdrawn or is over opens nothing; who is in keeps it for another', async () => {
  const project = await ownProject();
  const [first, second] = [
    await invite(project, { role: 'viewer' }),
    await invite(project, { role: 'viewer' }),
  ];
  expect((await accept(secretOf(first), ada)).body.project_id).toBe(project.id);
  expect((await list(project)).body.invitations).toHaveLength(2);
  const params = { ...project, invitation: first.id };
  expect((await app.call(memberRoutes.revokeInvitation, { params }, ada)).status).toBe(200);
  expect((await app.call(memberRoutes.revokeInvitation, { params }, ada)).status).toBe(404);
  expect((await accept(secretOf(first), bea)).status).toBe(404);
  await app.deps.db
    .updateTable('project_invitations')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', second.id)
    .execute();
  expect((await accept(secretOf(second), bea)).status).toBe(404);
});

test('all of it is in the record', async () => {
  const { body } = await app.call(auditRoutes.mine, { query: { limit: '200' } }, ada);
  const events = new Set(body.events.map(({ event }) => event));
  for (const name of [
    'member_added',
    'member_role_changed',
    'member_removed',
    'project_transferred',
    'invitation_created',
    'invitation_revoked',
  ] as const)
    expect(events).toContain(name);
  expect(body.events.find(({ event }) => event === 'member_added')?.detail).toMatchObject({
    project: 'Words',
  });
});
