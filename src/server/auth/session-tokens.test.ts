import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

const DAY = 24 * 3600;

const refresh = async (refresh_token: string) =>
  await server.call(authRoutes.refresh, { body: { refresh_token } });
const me = async (user: TestUser, accessToken: string) =>
  (await server.call(accountRoutes.me, {}, { ...user, accessToken })).status;

test('fifty concurrent refreshes with one token return one successor', async () => {
  const user = await server.signUp();
  const replies = await Promise.all(
    Array.from({ length: 50 }, async (_, index) =>
      server.inject({
        method: 'POST',
        url: '/api/auth/refresh',
        payload: { refresh_token: user.refreshToken },
        remoteAddress: `10.9.0.${index}`,
      }),
    ),
  );
  expect(replies.map((reply) => reply.statusCode)).toEqual(Array(50).fill(200));
  expect(new Set(replies.map((reply) => reply.json().refresh_token)).size).toBe(1);
  const session = await server.deps.db
    .selectFrom('sessions')
    .select(['counter', 'revoked_at'])
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(session).toEqual({ counter: 1, revoked_at: null });
});

test('a session is refreshed at most thirty times a minute', async () => {
  const user = await server.signUp();
  let token = user.refreshToken;
  for (let round = 0; round < 30; round += 1) token = (await refresh(token)).body.refresh_token!;
  expect((await refresh(token)).status).toBe(429);
  server.advance(61);
  expect((await refresh(token)).status).toBe(200);
});

test('an unused successor is returned again, however late', async () => {
  const user = await server.signUp();
  const lost = await refresh(user.refreshToken);
  server.advance(DAY);
  const again = await refresh(user.refreshToken);
  expect(again.status).toBe(200);
  expect(again.body.refresh_token).toBe(lost.body.refresh_token);
});

test('using the old access token does not count as token reuse', async () => {
  const user = await server.signUp();
  await refresh(user.refreshToken);
  expect(await me(user, user.accessToken)).toBe(200);
  server.advance(60);
  expect((await refresh(user.refreshToken)).status).toBe(200);
});

test('within thirty seconds two tabs may send the same token', async () => {
  const user = await server.signUp();
  const first = await refresh(user.refreshToken);
  server.advance(5);
  expect(await me(user, first.body.access_token)).toBe(200);
  server.advance(20);
  const second = await refresh(user.refreshToken);
  expect(second.body.refresh_token).toBe(first.body.refresh_token);
});

test('reuse after thirty seconds and a use of the successor revokes the session', async () => {
  const user = await server.signUp();
  const first = await refresh(user.refreshToken);
  server.advance(5);
  expect(await me(user, first.body.access_token)).toBe(200);
  server.advance(31);
  const reused = await refresh(user.refreshToken);
  expect(reused.status).toBe(401);
  expect((await refresh(first.body.refresh_token!)).status).toBe(401);
  expect(await me(user, first.body.access_token)).toBe(401);
  const session = await server.deps.db
    .selectFrom('sessions')
    .select('revoked_at')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(session.revoked_at).not.toBeNull();
});

test('reuse of a token older than the previous one revokes the session', async () => {
  const user = await server.signUp();
  const first = await refresh(user.refreshToken);
  const second = await refresh(first.body.refresh_token!);
  expect((await refresh(user.refreshToken)).status).toBe(401);
  expect((await refresh(second.body.refresh_token!)).status).toBe(401);
});

test('a token ahead of the counter, after a restored backup, is rejected without revocation', async () => {
  const user = await server.signUp();
  const next = await refresh(user.refreshToken);
  await server.deps.db.updateTable('sessions').set({ counter: 0 }).where('user_id', '=', user.id).execute();
  expect((await refresh(next.body.refresh_token!)).status).toBe(401);
  expect((await refresh(user.refreshToken)).status).toBe(200);
});

test('a session expires after 14 idle days and after 30 days', async () => {
  const idle = await server.signUp();
  const busy = await server.signUp();
  server.advance(13 * DAY);
  let last = (await refresh(busy.refreshToken)).body;
  server.advance(2 * DAY);
  expect((await refresh(idle.refreshToken)).status).toBe(401);
  last = (await refresh(last.refresh_token!)).body;
  server.advance(13 * DAY);
  last = (await refresh(last.refresh_token!)).body;
  server.advance(3 * DAY);
  expect((await refresh(last.refresh_token!)).status).toBe(401);
});

test.each(['', 'x', 'a.0.b', 'not-a-session.0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
  'the forged refresh token %j is rejected',
  async (forged) => {
    expect((await refresh(forged)).status).toBe(401);
  },
);

test('a refresh token with a changed counter is rejected', async () => {
  const user = await server.signUp();
  expect((await refresh(user.refreshToken.replace('.0.', '.1.'))).status).toBe(401);
});

test('the HttpOnly cookie refreshes like the body, and its token is not in the reply', async () => {
  const user = await server.signUp('cookie_monster');
  const login = async (remember: 'true' | 'false') => {
    const body = { username: user.email, password: user.password, remember };
    return (await server.call(authRoutes.login, { body })).raw.cookies[0]!;
  };
  const session = await login('false');
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/auth' });
  expect(session.name).toMatch(/^hindsight_refresh_[0-9a-f]{8}$/);
  expect(session).not.toHaveProperty('expires');
  const persistent = await login('true');
  expect(persistent).toHaveProperty('expires');

  const renewed = await server.inject({
    method: 'POST',
    url: '/api/auth/refresh',
    cookies: { [persistent.name]: persistent.value },
  });
  expect(renewed.statusCode).toBe(200);
  expect(renewed.json()).not.toHaveProperty('refresh_token');
  expect(renewed.cookies[0]!.value).not.toBe(persistent.value);
});

test('over HTTPS the cookie is Secure with the __Host- prefix', async () => {
  const secure = await testApp({ config: { publicUrl: 'https://hindsight.example' } });
  const body = { username: 'ada', email: 'ada@example.org', password: 'a quiet harbour at dawn' };
  const reply = await secure.call(authRoutes.register, { body });
  const cookie = reply.raw.cookies[0]!;
  expect(cookie).toMatchObject({ secure: true, path: '/', sameSite: 'Strict', httpOnly: true });
  expect(cookie).not.toHaveProperty('domain');
  expect(cookie.name).toMatch(/^__Host-hindsight_refresh_[0-9a-f]{8}$/);
  // A cookie without the prefix, as another subdomain could set it, is ignored.
  const renew = async (name: string) =>
    (
      await secure.inject({
        method: 'POST',
        url: '/api/auth/refresh',
        cookies: { [name]: cookie.value },
      })
    ).statusCode;
  expect(await renew(cookie.name.replace('__Host-', ''))).toBe(401);
  expect(await renew(cookie.name)).toBe(200);
  expect(reply.raw.headers['strict-transport-security']).toMatch(/max-age=31536000/);
  await secure.close();
});
