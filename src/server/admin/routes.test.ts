import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { adminRoutes } from '#contract/admin.ts';
import { auditRoutes } from '#contract/audit.ts';
import { authRoutes } from '#contract/auth.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import texts from '#locales/en/admin.json' with { type: 'json' };
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;
let admin: TestUser;

/** Fails until `isFixed` is set. */
const FAILING_JOB = 'fragile';
let isFixed = false;
const done: string[] = [];
/** Runs until aborted, and records whether an administrator canceled it. */
const ENDLESS_JOB = 'endless';
const stops: boolean[] = [];

beforeAll(async () => {
  server = await testApp({
    work: true,
    define: ({ jobs }) => {
      const options = { concurrency: 1, retryLimit: 0, singletonKey: () => null };
      jobs.define<{ project_id: string; secret: string }>({
        ...options,
        name: FAILING_JOB,
        run: async ({ project_id }) => {
          if (!isFixed) throw new Error('the disk is full');
          done.push(project_id);
        },
      });
      jobs.define({
        ...options,
        name: ENDLESS_JOB,
        run: async (_, { signal, isCancelled }) => {
          await once(signal, 'abort');
          stops.push(await isCancelled());
          signal.throwIfAborted();
        },
      });
    },
  });
  admin = await server.signUp('admin');
});
afterAll(() => server.close());

const users = async (q = '') => (await server.call(adminRoutes.users, { query: { q } }, admin)).body;
const change = async (id: string, body: { is_active?: boolean; role?: 'admin' | 'user' }, as = admin) =>
  await server.call(adminRoutes.updateUser, { params: { id }, body }, as);
const me = async (user: TestUser) => (await server.call(accountRoutes.me, {}, user)).status;
const register = async (name: string, more: object = {}) =>
  await server.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { username: name, email: `${name}@example.org`, password: 'a quiet harbour at dawn', ...more },
    remoteAddress: `10.70.${name.length}.${name.charCodeAt(0)}`,
  });

test('accounts are searched by name and email, without secrets', async () => {
  const user = await server.signUp('percy_100');
  const { users: found, total } = await users('percy_');
  expect(total).toBe(1);
  expect(found[0]).toEqual({
    id: user.id,
    username: 'percy_100',
    email: user.email,
    full_name: null,
    role: 'user',
    is_active: true,
    two_factor_enabled: false,
    created_at: expect.any(String),
    last_seen_at: expect.any(String),
    deletion_at: null,
    project_count: 0,
  });
  // LIKE wildcards are matched literally.
  expect((await users('%')).total).toBe(0);
  expect((await users('EXAMPLE.org')).total).toBeGreaterThan(1);
  expect((await users("' or 1=1 --")).total).toBe(0);
});

test('deactivation revokes all sessions and can be undone', async () => {
  const user = await server.signUp('dora');
  expect((await change(user.id, { is_active: false })).body).toMatchObject({ is_active: false });
  const ended = await server.call(accountRoutes.me, {}, user);
  expect([401, 403]).toContain(ended.status);
  const login = { body: { username: user.email, password: user.password } };
  const refused = await server.call(authRoutes.login, login);
  expect([refused.status, refused.error?.code]).toEqual([403, 'deactivated']);
  expect((await change(user.id, { is_active: true })).status).toBe(200);
  expect((await server.call(authRoutes.login, login)).status).toBe(200);
});

test('roles are changed, except one’s own', async () => {
  const user = await server.signUp('emil');
  expect((await server.call(adminRoutes.users, { query: {} }, user)).status).toBe(404);
  await change(user.id, { role: 'admin' });
  expect((await server.call(adminRoutes.users, { query: {} }, user)).status).toBe(200);
  for (const body of [{ role: 'user' as const }, { is_active: false }]) {
    expect((await change(admin.id, body)).error?.reason).toBe('own_account');
  }
  expect((await change(admin.id, { role: 'user' }, user)).status).toBe(200);
  expect((await server.call(adminRoutes.users, { query: {} }, admin)).status).toBe(404);
  expect((await change(admin.id, { role: 'admin' }, user)).status).toBe(200);
  expect((await change('missing', { role: 'user' })).status).toBe(404);
  expect(await me(user)).toBe(200);
});

test('changes are in the audit log', async () => {
  const events = await server.deps.db
    .selectFrom('audit_events')
    .select(['event', 'detail', 'user_id'])
    .execute();
  const notified = events.filter(({ user_id }) => user_id === admin.id).map(({ event }) => event);
  expect(notified).toEqual(
    expect.arrayContaining(['account_deactivated', 'account_reactivated', 'role_changed']),
  );
});

test('a dead job is listed with its error and can be retried', async () => {
  const read = async () => (await server.call(adminRoutes.jobs, {}, admin)).body;
  await server.deps.jobs.send(FAILING_JOB, { project_id: 'p1', secret: 'sealed' });
  const dead = await vi.waitFor(
    async () => {
      const found = (await read()).dead.filter(({ queue }) => queue === FAILING_JOB);
      expect(found).toHaveLength(1);
      return found[0]!;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(dead).toMatchObject({
    subject: { project_id: 'p1' },
    error: expect.stringContaining('the disk is full'),
  });
  expect(JSON.stringify(dead)).not.toContain('sealed');
  expect((await read()).queues.find(({ name }) => name === FAILING_JOB)).toMatchObject({ dead: 1 });

  isFixed = true;
  const params = { queue: FAILING_JOB, id: dead.id };
  expect((await server.call(adminRoutes.retryJob, { params }, admin)).status).toBe(200);
  await vi.waitFor(() => expect(done).toEqual(['p1']), { timeout: 60_000, interval: 100 });
  expect((await read()).dead.filter(({ queue }) => queue === FAILING_JOB)).toEqual([]);
  expect((await server.call(adminRoutes.retryJob, { params }, admin)).status).toBe(404);
  expect((await server.call(adminRoutes.deleteJob, { params }, admin)).status).toBe(404);
});

test('every queue has a name in words', async () => {
  const { queues } = (await server.call(adminRoutes.jobs, {}, admin)).body;
  const ids = queues.map(({ name }) => name).filter((name) => name !== FAILING_JOB && name !== ENDLESS_JOB);
  expect(ids.length).toBeGreaterThan(20);
  expect(Object.keys(texts.jobs.names)).toEqual(expect.arrayContaining(ids));
});

test('an active job is listed, can be stopped, and does not run again', async () => {
  const read = async () => (await server.call(adminRoutes.jobs, {}, admin)).body.active;
  await server.deps.jobs.send(ENDLESS_JOB, { project_id: 'p2' });
  await vi.waitFor(async () => expect(await read()).toMatchObject([{ queue: ENDLESS_JOB }]), {
    timeout: 20_000,
    interval: 100,
  });
  const [job] = await read();
  expect(job).toMatchObject({ subject: { project_id: 'p2' } });
  const params = { queue: ENDLESS_JOB, id: job!.id };
  expect((await server.call(adminRoutes.stopJob, { params }, admin)).status).toBe(200);
  await expect.poll(() => stops).toEqual([true]);
  await expect.poll(read).toEqual([]);
  expect((await server.call(adminRoutes.stopJob, { params }, admin)).status).toBe(404);
  expect((await server.call(adminRoutes.stopJob, { params: { queue: 'x', id: 'x' } }, admin)).status).toBe(
    404,
  );
  const { queues } = (await server.call(adminRoutes.jobs, {}, admin)).body;
  expect(queues.find(({ name }) => name === ENDLESS_JOB)).toMatchObject({ waiting: 0, running: 0, dead: 0 });
});

test('a two-factor reset revokes sessions, is audited, and sends an email', async () => {
  const user = await server.signUp('lost');
  const { secret } = (await server.call(twoFactorRoutes.setUp, { body: {} }, user)).body;
  const code = new TOTP({ secret }).generate({ timestamp: server.deps.now().getTime() });
  expect((await server.call(twoFactorRoutes.confirm, { body: { code } }, user)).status).toBe(200);
  const reset = async (id: string) =>
    await server.call(adminRoutes.updateUser, { params: { id }, body: { two_factor_enabled: false } }, admin);
  expect((await reset(admin.id)).error?.reason).toBe('own_account');
  expect((await reset(user.id)).body).toMatchObject({ username: 'lost', two_factor_enabled: false });
  expect(await me(user)).toBe(401);
  // A second reset does nothing and notifies no one.
  expect((await reset(user.id)).status).toBe(200);
  const again = await server.signIn(user);
  expect(await me(again)).toBe(200);
  const { events } = (await server.call(auditRoutes.mine, { query: { limit: '50' } }, again)).body;
  const notified = events.filter(({ event }) => event === 'two_factor_reset');
  expect(notified).toMatchObject([{ detail: { user: 'lost' } }]);
  await vi.waitFor(async () => {
    const folder = join(server.deps.config.dataDir, 'mail');
    const emails = await Promise.all(
      (await readdir(folder)).map(async (file) => await readFile(join(folder, file), 'utf8')),
    );
    const about = emails.filter((email) => email.includes('To: lost@example.org'));
    expect(about).toEqual([expect.stringContaining('turned off two-factor authentication')]);
  }, 20_000);
});

test('projects are listed with their owners, without their content', async () => {
  const owner = await server.signUp('olga');
  const db = server.deps.db;
  await db
    .insertInto('projects')
    .values({ id: 'p-olga', name: 'Kiln', git_url: 'https://u:pw@git.example/kiln', status: 'ready' })
    .execute();
  await db
    .insertInto('project_members')
    .values({ project_id: 'p-olga', user_id: owner.id, role: 'owner' })
    .execute();
  const reply = await server.call(adminRoutes.projects, { query: { q: 'olga' } }, admin);
  expect(reply.body).toEqual({
    total: 1,
    projects: [
      expect.objectContaining({
        id: 'p-olga',
        name: 'Kiln',
        owner: 'olga',
        member_count: 1,
        status: 'ready',
      }),
    ],
  });
  expect(reply.raw.body).not.toContain('git.example');
});

test('the server state is reported', async () => {
  const { body, status } = await server.call(adminRoutes.server, {}, admin);
  expect(status).toBe(200);
  expect(body).toMatchObject({ signup: 'open', mail: false, payments: false, model: null });
  expect(body.database.size).toBeGreaterThan(1_000_000);
  expect(body.disk.free).toBeGreaterThan(0);
  expect(body.usage.accounts).toBeGreaterThan(3);
});

test('the sign-up mode is configurable, and an invitation registers one account', async () => {
  const setSignupMode = async (mode: 'open' | 'invite' | 'closed') =>
    (await server.call(adminRoutes.updateSignup, { body: { mode } }, admin)).status;
  expect(await setSignupMode('closed')).toBe(200);
  expect((await register('closed')).json().error.reason).toBe('signup_closed');
  expect(await setSignupMode('invite')).toBe(200);
  expect((await server.call(authRoutes.setup, {})).body.signup).toBe('invite');
  expect((await register('uninvited')).json().error.reason).toBe('invitation_required');

  const issued = await server.call(adminRoutes.invite, { body: {} }, admin);
  expect([issued.status, issued.body.sent]).toEqual([201, false]);
  const [, secret = ''] = /^http:\/\/localhost\/signup#([\w-]{43})$/.exec(issued.body.link) ?? [];
  const stored = await server.deps.db.selectFrom('signup_invitations').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(secret);
  // A rejected registration does not consume the invitation.
  expect((await register('olga', { invitation_token: secret })).statusCode).toBe(409);
  const replies = await Promise.all(
    ['ivy', 'june', 'kara'].map((name) => register(name, { invitation_token: secret })),
  );
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400]);
  await setSignupMode('open');
});

test('an invitation is bound to its email and can be withdrawn', async () => {
  await server.call(adminRoutes.updateSignup, { body: { mode: 'invite' } }, admin);
  const issued = await server.call(adminRoutes.invite, { body: { email: 'Leo@example.org' } }, admin);
  const invitation = issued.body.link.split('#')[1];
  const look = await server.call(authRoutes.invitation, { body: { token: invitation! } });
  expect(look.body).toEqual({ email: 'Leo@example.org' });
  expect((await register('mona', { invitation_token: invitation })).json().error.reason).toBe(
    'invitation_invalid',
  );
  expect((await register('leo', { invitation_token: invitation })).statusCode).toBe(201);

  const second = await server.call(adminRoutes.invite, { body: {} }, admin);
  const list = async () => (await server.call(adminRoutes.invitations, {}, admin)).body.invitations;
  expect((await list()).map(({ id }) => id)).toEqual([second.body.id]);
  const params = { id: second.body.id };
  expect((await server.call(adminRoutes.revokeInvitation, { params }, admin)).status).toBe(200);
  expect((await server.call(adminRoutes.revokeInvitation, { params }, admin)).status).toBe(404);
  expect((await register('nina', { invitation_token: second.body.link.split('#')[1] })).statusCode).toBe(400);
  const late = await server.call(adminRoutes.invite, { body: {} }, admin);
  server.advance(14 * 24 * 3600 + 1);
  const again = await register('otto', { invitation_token: late.body.link.split('#')[1] });
  expect(again.json().error.reason).toBe('invitation_invalid');
});
