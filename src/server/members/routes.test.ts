import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditRoutes } from '#contract/audit.ts';
import { memberRoutes } from '#contract/members.ts';
import { notificationRoutes } from '#contract/notifications.ts';
import { projectRoutes } from '#contract/projects.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';

let app: TestApp;
let ada: TestUser;
let bea: TestUser;
let cid: TestUser;

beforeAll(async () => {
  app = await testApp({ work: true });
  [ada, bea, cid] = [await app.signUp('ada'), await app.signUp('bea'), await app.signUp('cid')];
});
afterAll(() => app.close());

/** Creates a project with ada as its only member. */
async function ownProject(): Promise<{ id: string }> {
  return { id: await insertTestProject(app.deps, [[ada, 'owner']]) };
}

const add = async (params: { id: string }, who: string, role: 'editor' | 'viewer' = 'viewer') =>
  await app.call(memberRoutes.add, { params, body: { identifier: who, role } }, ada);
const list = async (params: { id: string }, as = ada) => await app.call(memberRoutes.list, { params }, as);
const canSee = async (params: { id: string }, as: TestUser) =>
  (await app.call(projectRoutes.get, { params }, as)).status === 200;

test('a member is added by username or email, case-insensitively', async () => {
  const project = await ownProject();
  expect(await canSee(project, bea)).toBe(false);
  expect(await add(project, 'BEA', 'editor')).toMatchObject({
    status: 201,
    body: { username: 'bea', role: 'editor' },
  });
  expect((await add(project, 'Cid@Example.org')).body).toMatchObject({ user_id: cid.id, role: 'viewer' });
  expect(await canSee(project, bea)).toBe(true);
  const { body } = await list(project);
  expect(body.members.map(({ username, role, is_self: you }) => [username, role, you])).toEqual([
    ['ada', 'owner', true],
    ['bea', 'editor', false],
    ['cid', 'viewer', false],
  ]);
  expect(body.members[1]!.email).toBe('bea@example.org');
});

test('emails and invitations are visible to the owner only', async () => {
  const project = await ownProject();
  await add(project, 'bea', 'editor');
  await app.call(memberRoutes.invite, { params: project, body: { role: 'viewer' } }, ada);
  const { body } = await list(project, bea);
  expect(body.members.map(({ email }) => email)).toEqual([null, null]);
  expect(body.invitations).toEqual([]);
});

test('an added member is notified', async () => {
  const project = await ownProject();
  await add(project, 'cid');
  await expect
    .poll(async () =>
      (await app.call(notificationRoutes.list, { query: {} }, cid)).body.map(({ message, title }) => [
        title,
        message,
      ]),
    )
    .toContainEqual(['ada shared Words with you', 'Find it under Projects.']);
});

test.each([
  ['nobody', 400, 'user_not_found'],
  ['nobody@example.org', 400, 'user_not_found'],
  ['ada', 409, 'already_member'],
])('%s cannot be added, with a field error', async (who, status, reason) => {
  const project = await ownProject();
  const reply = await add(project, who);
  expect(reply).toMatchObject({ status, error: { reason, fields: { identifier: expect.any(String) } } });
});

test('roles can be changed, except the owner’s', async () => {
  const project = await ownProject();
  await add(project, 'bea');
  const change = (user: string, role: 'editor' | 'viewer') =>
    app.call(memberRoutes.updateRole, { params: { ...project, user }, body: { role } }, ada);
  expect((await change(bea.id, 'editor')).body).toMatchObject({ username: 'bea', role: 'editor' });
  expect(await change(ada.id, 'viewer')).toMatchObject({ status: 409, error: { reason: 'is_owner' } });
  expect((await change(cid.id, 'viewer')).status).toBe(404);
});

test('a member is removed or leaves; the owner cannot', async () => {
  const project = await ownProject();
  await add(project, 'bea');
  await add(project, 'cid');
  const out = await app.call(memberRoutes.remove, { params: { ...project, user: bea.id } }, ada);
  expect(out.status).toBe(200);
  expect(await canSee(project, bea)).toBe(false);
  expect((await app.call(memberRoutes.leave, { params: project }, cid)).status).toBe(200);
  expect(await canSee(project, cid)).toBe(false);
  expect(await app.call(memberRoutes.leave, { params: project }, ada)).toMatchObject({
    status: 409,
    error: { reason: 'is_owner' },
  });
});

test('ownership is transferred to a member', async () => {
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

test('a transfer requires reauthentication for an old session', async () => {
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
const secretInLink = ({ link }: { link: string }) => new URL(link).hash.slice(1);
const accept = async (invitation: string, as: TestUser) =>
  await app.call(memberRoutes.accept, { body: { token: invitation } }, as);
const previewInvitation = async (invitation: string, as: TestUser) =>
  await app.call(memberRoutes.preview, { body: { token: invitation } }, as);

test('an invitation can be previewed, is single-use, and notifies its creator', async () => {
  const project = await ownProject();
  const made = await invite(project, { role: 'editor' });
  expect(made.link).toMatch(/^http:\/\/localhost\/invitation#[\w-]{43}$/);
  expect((await previewInvitation(secretInLink(made), bea)).body).toMatchObject({
    project_name: 'Words',
    invited_by: 'ada',
    role: 'editor',
    project_id: null,
  });
  expect(await accept(secretInLink(made), bea)).toMatchObject({
    status: 200,
    body: { project_id: project.id },
  });
  expect((await list(project)).body).toMatchObject({ invitations: [], members: [{}, { role: 'editor' }] });
  expect((await accept(secretInLink(made), cid)).status).toBe(404);
  await expect
    .poll(async () =>
      (await app.call(notificationRoutes.list, { query: {} }, ada)).body.map(({ title }) => title),
    )
    .toContain('bea joined Words');
});

test('concurrent acceptances of one invitation add one member', async () => {
  const project = await ownProject();
  const secret = secretInLink(await invite(project, { role: 'viewer' }));
  const replies = await Promise.all([accept(secret, bea), accept(secret, cid)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect((await list(project)).body.members).toHaveLength(2);
});

test('an invitation secret is stored hashed and returned once', async () => {
  const project = await ownProject();
  const made = await invite(project, { role: 'viewer' });
  const rows = await app.deps.db.selectFrom('project_invitations').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(secretInLink(made));
  expect((await list(project)).raw.body).not.toContain(secretInLink(made));
});

test('an email invitation is limited to that account', async () => {
  const project = await ownProject();
  const secret = secretInLink(await invite(project, { role: 'viewer', email: 'CID@example.org' }));
  expect((await previewInvitation(secret, bea)).status).toBe(404);
  expect((await accept(secret, bea)).status).toBe(404);
  expect((await accept(secret, cid)).status).toBe(200);
});

test('an invitation email does not contain the project name', async () => {
  const project = await ownProject();
  const { link } = await invite(project, { role: 'viewer', email: 'new@example.org' });
  const folder = join(app.deps.config.dataDir, 'mail');
  const emails = async () => {
    const names = await readdir(folder).catch(() => []);
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('');
  };
  await expect.poll(emails, { timeout: 60_000 }).toContain(link);
  expect(await emails()).toMatch(/^To: new@example\.org$/m);
  expect(await emails()).not.toContain('Words');
});

test('withdrawn and expired invitations are invalid; members do not consume them', async () => {
  const project = await ownProject();
  const [first, second] = [
    await invite(project, { role: 'viewer' }),
    await invite(project, { role: 'viewer' }),
  ];
  expect((await accept(secretInLink(first), ada)).body.project_id).toBe(project.id);
  expect((await list(project)).body.invitations).toHaveLength(2);
  const params = { ...project, invitation: first.id };
  expect((await app.call(memberRoutes.revokeInvitation, { params }, ada)).status).toBe(200);
  expect((await app.call(memberRoutes.revokeInvitation, { params }, ada)).status).toBe(404);
  expect((await accept(secretInLink(first), bea)).status).toBe(404);
  await app.deps.db
    .updateTable('project_invitations')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', second.id)
    .execute();
  expect((await accept(secretInLink(second), bea)).status).toBe(404);
});

test('all events are in the audit log', async () => {
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
