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
const change = async (user: TestUser, current_password: string, new_password = NEW_PASSWORD) =>
  await server.call(authRoutes.changePassword, { body: { current_password, new_password } }, user);

test('a user sees where they are signed in, and can end every place but this one', async () => {
  const here = await server.signUp('ada');
  server.advance(60);
  const there = await server.signIn(here, 'Elsewhere/1.0');
  const stranger = await server.signUp('eve');
  const { sessions } = (await server.call(authRoutes.sessions, {}, here)).body;
  expect(sessions.map(({ device, current }) => [device, current])).toEqual([
    // Asking is a use too.
    [expect.any(String), true],
    ['Elsewhere', false],
  ]);

  const reply = await server.call(authRoutes.revokeOtherSessions, {}, here);
  expect(reply.body).toEqual({ ended: 1 });
  expect([await me(here), await me(there), await me(stranger)]).toEqual([200, 401, 200]);
  const left = (await server.call(authRoutes.sessions, {}, here)).body.sessions;
  expect(left.map(({ current }) => current)).toEqual([true]);
});

test('one place can be ended, and nobody ends somebody else’s', async () => {
  const here = await server.signUp();
  const there = await server.signIn(here, 'Elsewhere/1.0');
  const stranger = await server.signUp();
  const { sessions } = (await server.call(authRoutes.sessions, {}, here)).body;
  const { id } = sessions.find(({ current }) => !current)!;
  const end = async (as: TestUser) =>
    (await server.call(authRoutes.revokeSession, { params: { id } }, as)).status;
  expect(await end(stranger)).toBe(404);
  expect(await me(there)).toBe(200);
  expect(await end(here)).toBe(200);
  expect([await me(here), await me(there)]).toEqual([200, 401]);
  expect(await end(here)).toBe(404);
});

test('sign-ins that nobody used for two weeks are not listed', async () => {
  const user = await server.signUp('idle');
  server.advance(15 * 24 * 3600);
  const back = await server.signIn(user, 'Back/1.0');
  expect((await server.call(authRoutes.sessions, {}, back)).body.sessions).toHaveLength(1);
});

test('changing the password needs the current one, and ends all other sign-ins', async () => {
  const here = await server.signUp('bob');
  const there = await server.signIn(here, 'Elsewhere/1.0');
  const refused = await change(here, 'not this one');
  expect([refused.status, Object.keys(refused.error?.fields ?? {})]).toEqual([422, ['current_password']]);
  expect(await me(there)).toBe(200);

  expect((await change(here, here.password)).status).toBe(200);
  expect([await me(here), await me(there)]).toEqual([200, 401]);
  const login = async (password: string) =>
    (await server.call(authRoutes.login, { body: { username: 'bob', password } })).status;
  expect([await login(here.password), await login(NEW_PASSWORD)]).toEqual([401, 200]);
});

test('within ten minutes of a sign-in the current password may be left out', async () => {
  const user = await server.signUp();
  const change = async (new_password: string) =>
    await server.call(authRoutes.changePassword, { body: { new_password } }, user);
  expect((await change(NEW_PASSWORD)).status).toBe(200);
  server.advance(11 * 60);
  const late = await change('a third harbour at noon');
  expect([late.status, late.error?.reason]).toEqual([422, 'current_password']);
});

test('a new password may not be a common one', async () => {
  const user = await server.signUp('carol');
  const refused = await change(user, user.password, 'carol12345');
  expect([refused.status, Object.keys(refused.error?.fields ?? {})]).toEqual([422, ['new_password']]);
});

test('a copied access token opens no way to guess the password', async () => {
  const user = await server.signUp('dave');
  const statuses = [];
  for (let round = 0; round < 7; round += 1) statuses.push((await change(user, `guess ${round}`)).status);
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
});
