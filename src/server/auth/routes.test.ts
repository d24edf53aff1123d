import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { type TestApp, testApp } from '../testing.ts';
import { setupCode } from './setup-code.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

const account = (name: string) => ({
  username: name,
  email: `${name}@example.org`,
  password: 'a quiet harbour at dawn',
});
const register = async (
  app: TestApp,
  body: Parameters<typeof app.call<typeof authRoutes.register>>[1]['body'],
) => await app.call(authRoutes.register, { body });

test('the first account is the administrator, and accounts sign in by email or username', async () => {
  const before = await server.call(authRoutes.setup, {});
  expect(before.body).toEqual({
    first_account: true,
    setup_code_required: false,
    signup: 'open',
    oauth_providers: { github: false, google: false },
    issuers: [],
    password_min_length: 8,
    sso_required: false,
  });
  const ada = await server.signUp('ada');
  const bob = await server.signUp('bob');
  const roles = [ada, bob].map(async (user) => (await server.call(accountRoutes.me, {}, user)).body.role);
  expect(await Promise.all(roles)).toEqual(['admin', 'user']);

  for (const username of ['bob', 'BOB@example.org']) {
    const reply = await server.call(authRoutes.login, { body: { username, password: bob.password } });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ user: { id: bob.id } });
  }
});

test('concurrent first registrations create one administrator', async () => {
  const empty = await testApp();
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const replies = await Promise.all(names.map((name) => register(empty, account(name))));
  const roles = replies.map((reply) => reply.body.user.role).sort();
  expect(roles).toEqual(['admin', 'user', 'user', 'user', 'user', 'user']);
  await empty.close();
});

test('beyond loopback the first account requires the setup code', async () => {
  const open = await testApp({ config: { host: '0.0.0.0' } });
  expect((await open.call(authRoutes.setup, {})).body.setup_code_required).toBe(true);
  for (const setup_code of [undefined, 'AAAA-BBBB-CCCC-DDDD']) {
    const refused = await register(open, { ...account('eve'), setup_code });
    expect(refused.status).toBe(422);
    expect(refused.error?.fields).toHaveProperty('setup_code');
  }
  const code = setupCode(open.deps.keys).toLowerCase();
  expect((await register(open, { ...account('ada'), setup_code: code })).status).toBe(201);
  expect((await register(open, account('bob'))).status).toBe(201);
  await open.close();
});

test('with sign-up closed only the first account can register', async () => {
  const closed = await testApp({ config: { signup: 'closed' } });
  expect((await register(closed, account('ada'))).status).toBe(201);
  const refused = await register(closed, account('bob'));
  expect([refused.status, refused.error?.reason]).toEqual([400, 'signup_closed']);
  await closed.close();
});

test('a duplicate username or email is a case-insensitive field conflict', async () => {
  await server.signUp('grace');
  const sameName = await register(server, { ...account('Grace'), email: 'other@example.org' });
  expect([sameName.status, Object.keys(sameName.error?.fields ?? {})]).toEqual([409, ['username']]);
  const sameEmail = await register(server, { ...account('hopper'), email: 'GRACE@example.org' });
  expect([sameEmail.status, Object.keys(sameEmail.error?.fields ?? {})]).toEqual([409, ['email']]);
});

test.each([
  'password123',
  'QWERTYUIOP',
  '87654321',
  'zzzzzzzzzz',
  'hindsight2026',
  '1lovelace!',
  'lovelace@example.org',
])('the common password %s is rejected', async (password) => {
  const reply = await register(server, { ...account('lovelace'), password });
  expect([reply.status, Object.keys(reply.error?.fields ?? {})]).toEqual([422, ['password']]);
});

test('registration and preferences do not assign unknown fields', async () => {
  const unknownFields = {
    id: 'chosen',
    role: 'admin',
    subscription_plan: 'enterprise',
    is_active: false,
    bio: 'x',
  };
  const reply = await register(server, { ...account('mallory'), ...unknownFields } as never);
  expect(reply.status).toBe(201);
  const user = {
    ...account('mallory'),
    id: reply.body.user.id,
    accessToken: reply.body.access_token,
    refreshToken: '',
  };
  const before = (await server.call(accountRoutes.me, {}, user)).body;
  expect(before).toMatchObject({ role: 'user', subscription_plan: 'free', is_active: true, bio: null });

  const changed = await server.call(
    accountRoutes.updateProfile,
    { body: { ...unknownFields, preferences: { theme: 'dark', ...unknownFields } } as never },
    user,
  );
  expect(changed.body).toEqual({
    ...before,
    bio: 'x',
    preferences: { ...before.preferences, theme: 'dark' },
  });
  expect((await server.call(accountRoutes.me, {}, user)).body).toEqual(changed.body);
});

test('a hash with outdated parameters is upgraded by the next sign-in', async () => {
  const user = await server.signUp('rehash');
  // `correct horse` by argon2id with 8 MiB and one pass.
  const password_hash =
    '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU';
  const userUpdate = server.deps.db.updateTable('users').where('id', '=', user.id);
  await userUpdate.set({ password_hash }).execute();
  const login = async () => (await server.signIn({ ...user, password: 'correct horse' })).accessToken;
  expect(await login()).toBeDefined();
  const row = await server.deps.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await login()).toBeDefined();
});

test('an access token expires after half an hour', async () => {
  const user = await server.signUp('halfhour');
  const me = async () => (await server.call(accountRoutes.me, {}, user)).status;
  server.advance(29 * 60);
  expect(await me()).toBe(200);
  // 30 seconds of clock skew are tolerated.
  server.advance(60 + 31);
  expect(await me()).toBe(401);
});

test('a wrong password and an unknown account get the same error', async () => {
  const ivan = await server.signUp('ivan');
  const wrong = await server.call(authRoutes.login, {
    body: { username: ivan.email, password: 'not this one' },
  });
  const unknown = await server.call(authRoutes.login, {
    body: { username: 'nobody@example.org', password: 'not this one' },
  });
  expect(wrong.status).toBe(401);
  expect(wrong.error?.message).toBe('Incorrect email or password');
  const { request_id: _, ...first } = wrong.error!;
  const { request_id: __, ...second } = unknown.error!;
  expect(second).toEqual(first);
});

test('deactivation is only revealed for the correct password, and revokes all sessions', async () => {
  const judy = await server.signUp('judy');
  await server.deps.db.updateTable('users').set({ is_active: false }).where('id', '=', judy.id).execute();
  const body = { username: judy.email, password: judy.password };
  expect((await server.call(authRoutes.login, { body })).error?.code).toBe('deactivated');
  expect((await server.call(authRoutes.login, { body: { ...body, password: 'wrong one' } })).status).toBe(
    401,
  );
  expect((await server.call(accountRoutes.me, {}, judy)).error?.code).toBe('deactivated');
  const refresh = await server.call(authRoutes.refresh, { body: { refresh_token: judy.refreshToken } });
  expect(refresh.error?.code).toBe('deactivated');
});

test.each(['login', 'register', 'refresh', 'logout'] as const)(
  '%s rejects cross-site requests and sets no CORS header',
  async (name) => {
    const user = await server.signUp(`from_${name}`);
    const url = `/api/auth/${name}`;
    const isForm = name === 'login';
    const send = async (headers: Record<string, string>) =>
      await server.inject(
        {
          method: 'POST',
          url,
          payload: isForm
            ? new URLSearchParams({ username: user.email, password: user.password }).toString()
            : { ...account(`new_${name}`), refresh_token: user.refreshToken },
          headers: {
            'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
            ...headers,
          },
        },
        user,
      );
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://localhost:81' },
    ]) {
      const reply = await send(headers as unknown as Record<string, string>);
      expect(reply.statusCode).toBe(400);
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect((await send({ origin: 'http://localhost:80' })).statusCode).toBeLessThan(300);
  },
);

test('signing out revokes the session immediately', async () => {
  const user = await server.signUp('kim');
  expect((await server.call(authRoutes.logout, {}, user)).status).toBe(200);
  expect((await server.call(accountRoutes.me, {}, user)).status).toBe(401);
  const refresh = await server.call(authRoutes.refresh, { body: { refresh_token: user.refreshToken } });
  expect(refresh.status).toBe(401);
});

test('a user keeps twenty sessions; the least recently used one is revoked', async () => {
  const user = await server.signUp('laura');
  for (let round = 0; round < 20; round += 1) {
    server.advance(5);
    const reply = await server.call(authRoutes.login, {
      body: { username: user.email, password: user.password },
    });
    expect(reply.status).toBe(200);
  }
  const sessions = await server.deps.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user.id)
    .execute();
  expect(sessions).toHaveLength(20);
  expect((await server.call(accountRoutes.me, {}, user)).status).toBe(401);
});
