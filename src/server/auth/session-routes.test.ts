import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

const NEW_PASSWORD = 'another harbour at dusk';

const me = async (user: TestUser) => (await server.call(accountRoutes.me, {}, user)).status;
const changePassword = async (user: TestUser, current_password: string, new_password = NEW_PASSWORD) =>
  await server.call(authRoutes.changePassword, { body: { current_password, new_password } }, user);

test('a user lists their sessions and revokes all others', async () => {
  const currentSession = await server.signUp('ada');
  server.advance(60);
  const otherSession = await server.signIn(currentSession, 'Elsewhere/1.0');
  const otherUser = await server.signUp('eve');
  const { sessions } = (await server.call(authRoutes.sessions, {}, currentSession)).body;
  expect(sessions.map(({ device, current }) => [device, current])).toEqual([
    // Listing counts as a use.
    [expect.any(String), true],
    ['Elsewhere', false],
  ]);

  const reply = await server.call(authRoutes.revokeOtherSessions, {}, currentSession);
  expect(reply.body).toEqual({ revoked: 1 });
  expect([await me(currentSession), await me(otherSession), await me(otherUser)]).toEqual([200, 401, 200]);
  const left = (await server.call(authRoutes.sessions, {}, currentSession)).body.sessions;
  expect(left.map(({ current }) => current)).toEqual([true]);
});

test('a user revokes one of their own sessions only', async () => {
  const currentSession = await server.signUp();
  const otherSession = await server.signIn(currentSession, 'Elsewhere/1.0');
  const otherUser = await server.signUp();
  const { sessions } = (await server.call(authRoutes.sessions, {}, currentSession)).body;
  const { id } = sessions.find(({ current }) => !current)!;
  const revoke = async (as: TestUser) =>
    (await server.call(authRoutes.revokeSession, { params: { id } }, as)).status;
  expect(await revoke(otherUser)).toBe(404);
  expect(await me(otherSession)).toBe(200);
  expect(await revoke(currentSession)).toBe(200);
  expect([await me(currentSession), await me(otherSession)]).toEqual([200, 401]);
  expect(await revoke(currentSession)).toBe(404);
});

test('idle sessions are not listed', async () => {
  const user = await server.signUp('idle');
  server.advance(15 * 24 * 3600);
  const back = await server.signIn(user, 'Back/1.0');
  expect((await server.call(authRoutes.sessions, {}, back)).body.sessions).toHaveLength(1);
});

test('a password change requires the current password and revokes other sessions', async () => {
  const currentSession = await server.signUp('bob');
  const otherSession = await server.signIn(currentSession, 'Elsewhere/1.0');
  const refused = await changePassword(currentSession, 'not this one');
  expect([refused.status, Object.keys(refused.error?.fields ?? {})]).toEqual([422, ['current_password']]);
  expect(await me(otherSession)).toBe(200);

  expect((await changePassword(currentSession, currentSession.password)).status).toBe(200);
  expect([await me(currentSession), await me(otherSession)]).toEqual([200, 401]);
  const login = async (password: string) =>
    (await server.call(authRoutes.login, { body: { username: 'bob', password } })).status;
  expect([await login(currentSession.password), await login(NEW_PASSWORD)]).toEqual([401, 200]);
});

test('within ten minutes of a sign-in the current password is optional', async () => {
  const user = await server.signUp();
  const changePassword = async (new_password: string) =>
    await server.call(authRoutes.changePassword, { body: { new_password } }, user);
  expect((await changePassword(NEW_PASSWORD)).status).toBe(200);
  server.advance(11 * 60);
  const late = await changePassword('a third harbour at noon');
  expect([late.status, late.error?.reason]).toEqual([422, 'current_password']);
});

test('a new password must not be a common one', async () => {
  const user = await server.signUp('carol');
  const refused = await changePassword(user, user.password, 'carol12345');
  expect([refused.status, Object.keys(refused.error?.fields ?? {})]).toEqual([422, ['new_password']]);
});

test('password guessing with an access token is throttled', async () => {
  const user = await server.signUp('dave');
  const guess = async () => (await changePassword(user, 'a wrong guess')).status;
  for (let round = 0; round < 5; round += 1) expect(await guess()).toBe(422);
  // The delays add up to a minute, which no slow machine takes for six concurrent calls.
  expect(await Promise.all(Array.from({ length: 6 }, guess))).toContain(429);
});
