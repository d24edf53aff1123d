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
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;
let admin: TestUser;

/** Fails until `mended` is set. */
const FRAGILE = 'fragile';
let mended = false;
const done: string[] = [];
/** Runs until it is stopped, and notes whether that was an administrator's doing. */
const ENDLESS = 'endless';
const stops: boolean[] = [];

beforeAll(async () => {
  server = await testApp({
    work: true,
    define: ({ jobs }) => {
      const options = { concurrency: 1, retryLimit: 0, singleton: () => null };
      jobs.define<{ project_id: string; secret: string }>(FRAGILE, options, async ({ project_id }) => {
        if (!mended) throw new Error('the disk is full');
        done.push(project_id);
      });
      jobs.define(ENDLESS, options, async (_, { signal, cancelled }) => {
        await once(signal, 'abort');
        stops.push(await cancelled());
        signal.throwIfAborted();
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

test('accounts are found by name and address, with what signs for them and nothing secret', async () => {
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
    projects: 0,
  });
  // Signs of the pattern stand for themselves.
  expect((await users('%')).total).toBe(0);
  expect((await users('EXAMPLE.org')).total).toBeGreaterThan(1);
  expect((await users("' or 1=1 --")).total).toBe(0);
});

test('a deactivated account is out at once, everywhere, and can come back', async () => {
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

test('the role is given and taken, and nobody does either to themselves', async () => {
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

test('what was changed stands in the record', async () => {
  const events = await server.deps.db
    .selectFrom('audit_events')
    .select(['event', 'detail', 'user_id'])
    .execute();
  const told = events.filter(({ user_id }) => user_id === admin.id).map(({ event }) => event);
  expect(told).toEqual(
    expect.arrayContaining(['account_deactivated', 'account_reactivated', 'role_changed']),
  );
});

test('a job that failed for good is shown with its reason, and retried once its cause is gone', async () => {
  const read = async () => (await server.call(adminRoutes.jobs, {}, admin)).body;
  await server.deps.jobs.send(FRAGILE, { project_id: 'p1', secret: 'sealed' });
  const dead = await vi.waitFor(
    async () => {
      const found = (await read()).dead.filter(({ queue }) => queue === FRAGILE);
      expect(found).toHaveLength(1);
      return found[0]!;
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(dead).toMatchObject({
    subject: { project_id: 'p1' },
    error: expect.stringContaining('the disk is full'),
  });
  expect(JSON.stringify(dead)).not.toContain('sealed');
  expect((await read()).queues.find(({ name }) => name === FRAGILE)).toMatchObject({ dead: 1 });

  mended = true;
  const params = { queue: FRAGILE, id: dead.id };
  expect((await server.call(adminRoutes.retryJob, { params }, admin)).status).toBe(200);
  await vi.waitFor(() => expect(done).toEqual(['p1']), { timeout: 20_000, interval: 100 });
  expect((await read()).dead.filter(({ queue }) => queue === FRAGILE)).toEqual([]);
  expect((await server.call(adminRoutes.retryJob, { params }, admin)).status).toBe(404);
  expect((await server.call(adminRoutes.deleteJob, { params }, admin)).status).toBe(404);
});

test('a job under way is shown and stopped, and does not run again', async () => {
  const read = async () => (await server.call(adminRoutes.jobs, {}, admin)).body.active;
  await server.deps.jobs.send(ENDLESS, { project_id: 'p2' });
  await vi.waitFor(async () => expect(await read()).toMatchObject([{ queue: ENDLESS }]), {
    timeout: 20_000,
    interval: 100,
  });
  const [job] = await read();
  expect(job).toMatchObject({ subject: { project_id: 'p2' } });
  const params = { queue: ENDLESS, id: job!.id };
  expect((await server.call(adminRoutes.stopJob, { params }, admin)).status).toBe(200);
  await vi.waitFor(() => expect(stops).toEqual([true]));
  expect(await read()).toEqual([]);
  expect((await server.call(adminRoutes.stopJob, { params }, admin)).status).toBe(404);
  expect((await server.call(adminRoutes.stopJob, { params: { queue: 'x', id: 'x' } }, admin)).status).toBe(
    404,
  );
  const { queues } = (await server.call(adminRoutes.jobs, {}, admin)).body;
  expect(queues.find(({ name }) => name === ENDLESS)).toMatchObject({ waiting: 0, running: 0, dead: 0 });
});

test('a lost second factor is taken away: sign-ins end, the record says so and a letter goes out', async () => {
  const user = await server.signUp('lost');
  const { secret } = (await server.call(twoFactorRoutes.setUp, { body: {} }, user)).body;
  const code = new TOTP({ secret }).generate({ timestamp: server.deps.now().getTime() });
  expect((await server.call(twoFactorRoutes.confirm, { body: { code } }, user)).status).toBe(200);
  const reset = async (id: string) =>
    await server.call(adminRoutes.updateUser, { params: { id }, body: { two_factor_enabled: false } }, admin);
  expect((await reset(admin.id)).error?.reason).toBe('own_account');
  expect((await reset(user.id)).body).toMatchObject({ username: 'lost', two_factor_enabled: false });
  expect(await me(user)).toBe(401);
  // Asked again there is nothing to take away, and nothing to tell.
  expect((await reset(user.id)).status).toBe(200);
  const again = await server.signIn(user);
  expect(await me(again)).toBe(200);
  const { events } = (await server.call(auditRoutes.mine, { query: { limit: '50' } }, again)).body;
  const told = events.filter(({ event }) => event === 'two_factor_reset');
  expect(told).toMatchObject([{ detail: { user: 'lost' } }]);
  await vi.waitFor(async () => {
    const folder = join(server.deps.config.dataDir, 'mail');
    const letters = await Promise.all(
      (await readdir(folder)).map(async (file) => await readFile(join(folder, file), 'utf8')),
    );
    const about = letters.filter((letter) => letter.includes('To: lost@example.org'));
    expect(about).toEqual([expect.stringContaining('took away the second factor')]);
  }, 20_000);
});

test('projects are listed with their owners, and nothing of what is in them', async () => {
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
      expect.objectContaining({ id: 'p-olga', name: 'Kiln', owner: 'olga', members: 1, status: 'ready' }),
    ],
  });
  expect(reply.raw.body).not.toContain('git.example');
});

test('the state of the server is read', async () => {
  const { body, status } = await server.call(adminRoutes.server, {}, admin);
  expect(status).toBe(200);
  expect(body).toMatchObject({ signup: 'open', mail: false, payments: false, model: null });
  expect(body.database.size).toBeGreaterThan(1_000_000);
  expect(body.disk.free).toBeGreaterThan(0);
  expect(body.usage.accounts).toBeGreaterThan(3);
});

test('who may sign up is the admin’s choice, and an invitation opens one account once', async () => {
  const choose = async (mode: 'open' | 'invite' | 'closed') =>
    (await server.call(adminRoutes.updateSignup, { body: { mode } }, admin)).status;
  expect(await choose('closed')).toBe(200);
  expect((await register('closed')).json().error.reason).toBe('signup_closed');
  expect(await choose('invite')).toBe(200);
  expect((await server.call(authRoutes.setup, {})).body.signup).toBe('invite');
  expect((await register('uninvited')).json().error.reason).toBe('invitation_needed');

  const made = await server.call(adminRoutes.invite, { body: {} }, admin);
  expect([made.status, made.body.sent]).toEqual([201, false]);
  const [, secret = ''] = /^http:\/\/localhost\/signup#([\w-]{43})$/.exec(made.body.link) ?? [];
  const stored = await server.deps.db.selectFrom('signup_invitations').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(secret);
  // A refused name leaves the invitation as it was.
  expect((await register('olga', { invitation: secret })).statusCode).toBe(409);
  const replies = await Promise.all(
    ['ivy', 'june', 'kara'].map((name) => register(name, { invitation: secret })),
  );
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400]);
  await choose('open');
});

test('an invitation for one address opens no other, and one that was taken back none', async () => {
  await server.call(adminRoutes.updateSignup, { body: { mode: 'invite' } }, admin);
  const made = await server.call(adminRoutes.invite, { body: { email: 'Leo@example.org' } }, admin);
  const invitation = made.body.link.split('#')[1];
  const look = await server.call(authRoutes.invitation, { body: { token: invitation! } });
  expect(look.body).toEqual({ email: 'Leo@example.org' });
  expect((await register('mona', { invitation })).json().error.reason).toBe('invitation_over');
  expect((await register('leo', { invitation })).statusCode).toBe(201);

  const second = await server.call(adminRoutes.invite, { body: {} }, admin);
  const list = async () => (await server.call(adminRoutes.invitations, {}, admin)).body.invitations;
  expect((await list()).map(({ id }) => id)).toEqual([second.body.id]);
  const params = { id: second.body.id };
  expect((await server.call(adminRoutes.revokeInvitation, { params }, admin)).status).toBe(200);
  expect((await server.call(adminRoutes.revokeInvitation, { params }, admin)).status).toBe(404);
  expect((await register('nina', { invitation: second.body.link.split('#')[1] })).statusCode).toBe(400);
  const late = await server.call(adminRoutes.invite, { body: {} }, admin);
  server.advance(14 * 24 * 3600 + 1);
  const again = await register('otto', { invitation: late.body.link.split('#')[1] });
  expect(again.json().error.reason).toBe('invitation_over');
});
