import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { generateTotp } from './testing-authenticator.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

/** True while the session is valid. */
const isSignedIn = async (user: TestUser) => (await server.call(accountRoutes.me, {}, user)).status === 200;

/** Creates an account with two-factor authentication; returns its secret and recovery codes. */
async function createTwoFactorUser(): Promise<{ user: TestUser; key: string; codes: string[] }> {
  const user = await server.signUp();
  const unconfirmed = await server.call(twoFactorRoutes.setUp, { body: {} }, user);
  const key = unconfirmed.body.secret;
  const code = generateTotp(key, server.deps.now());
  const { body } = await server.call(twoFactorRoutes.confirm, { body: { code } }, user);
  // The code of this time step has been consumed.
  server.advance(30);
  return { user, key, codes: body.recovery_codes };
}

let ipCount = 0;
/** Uses a new network per call to avoid rate limits. */
const login = async (user: TestUser) => {
  ipCount += 1;
  return await server.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: new URLSearchParams({ username: user.email, password: user.password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    remoteAddress: `10.51.${ipCount}.1`,
  });
};
const challengeFor = async (user: TestUser) => (await login(user)).json().challenge as string;
const submitCode = async (challenge: string, code: string, from?: string) => {
  ipCount += 1;
  const raw = await server.inject({
    method: 'POST',
    url: '/api/auth/two-factor/sign-in',
    payload: { challenge, code },
    remoteAddress: from ?? `10.50.${ipCount}.1`,
  });
  return { status: raw.statusCode, body: raw.json(), error: raw.json().error };
};
const currentCode = (key: string) => generateTotp(key, server.deps.now());
const wrongCode = (key: string) => String((Number(currentCode(key)) + 1) % 1_000_000).padStart(6, '0');

test('without two-factor authentication the login reply is exactly as specified', async () => {
  const user = await server.signUp();
  const reply = (await login(user)).json();
  expect(Object.keys(reply).sort()).toEqual([
    'access_token',
    'expires_in',
    'refresh_token',
    'token_type',
    'user',
  ]);
});

test('with two-factor authentication the password alone does not sign in', async () => {
  const { user, key } = await createTwoFactorUser();
  const reply = await login(user);
  expect(reply.json()).toEqual({ two_factor_required: true, challenge: expect.any(String), expires_in: 300 });
  expect(reply.cookies).toEqual([]);
  const { challenge } = reply.json();
  const refused = await submitCode(challenge, wrongCode(key));
  expect([refused.status, refused.error?.reason]).toEqual([422, 'invalid_code']);
  const signedIn = await submitCode(challenge, currentCode(key));
  expect(signedIn.status).toBe(200);
  const again = { ...user, accessToken: signedIn.body.access_token };
  expect((await server.call(accountRoutes.me, {}, again)).body.two_factor_enabled).toBe(true);
  // The challenge is consumed.
  expect((await submitCode(challenge, currentCode(key))).error?.reason).toBe('challenge_expired');
});

test('a code is single-use under concurrency, and earlier codes are rejected', async () => {
  const { user, key } = await createTwoFactorUser();
  const challenges = await Promise.all([1, 2, 3].map(() => challengeFor(user)));
  const earlier = generateTotp(key, new Date(server.deps.now().getTime() - 30_000));
  const replies = await Promise.all(challenges.map((challenge) => submitCode(challenge, currentCode(key))));
  const refused = replies.filter(({ status }) => status !== 200).map(({ status }) => status);
  expect(refused).toHaveLength(2);
  // Some concurrent attempts are throttled before their code is verified.
  for (const status of refused) expect([422, 429]).toContain(status);
  server.advance(5);
  expect((await submitCode(await challengeFor(user), earlier)).status).toBe(422);
  server.advance(30);
  expect((await submitCode(await challengeFor(user), currentCode(key))).status).toBe(200);
});

test('ten recovery codes are single-use and ignore case and separators', async () => {
  const { user, codes } = await createTwoFactorUser();
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  const formatted = codes[0]!.toUpperCase().replaceAll('-', ' ');
  expect((await submitCode(await challengeFor(user), formatted)).status).toBe(200);
  expect((await submitCode(await challengeFor(user), codes[0]!)).status).toBe(422);
  const signedIn = await submitCode(await challengeFor(user), codes[1]!);
  const again = { ...user, accessToken: signedIn.body.access_token };
  const state = await server.call(twoFactorRoutes.state, {}, again);
  expect(state.body).toEqual({ enabled: true, recovery_codes_remaining: 8 });
});

test('the TOTP secret and recovery codes are not stored in plain text', async () => {
  const { user, key, codes } = await createTwoFactorUser();
  const rows = await Promise.all([
    server.deps.db.selectFrom('users').selectAll().where('id', '=', user.id).execute(),
    server.deps.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', user.id).execute(),
  ]);
  const stored = JSON.stringify(rows);
  expect(rows[1]).toHaveLength(10);
  for (const secret of [key, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
    expect(stored).not.toContain(secret);
  }
});

test('a challenge expires after five minutes and with a password change', async () => {
  const { user, key } = await createTwoFactorUser();
  const expiredChallenge = await challengeFor(user);
  server.advance(5 * 60 + 1);
  expect((await submitCode(expiredChallenge, currentCode(key))).error?.reason).toBe('challenge_expired');

  const open = await challengeFor(user);
  const body = { current_password: user.password, new_password: 'another harbour at dusk' };
  expect((await server.call(authRoutes.changePassword, { body }, user)).status).toBe(200);
  expect((await submitCode(open, currentCode(key))).error?.reason).toBe('challenge_expired');
});

test('code guessing is throttled like password guessing, across challenges', async () => {
  const { user, key } = await createTwoFactorUser();
  const statuses = [];
  for (let round = 0; round < 12; round += 1) {
    statuses.push((await submitCode(await challengeFor(user), wrongCode(key), '10.52.0.1')).status);
    server.advance(31);
  }
  // Ten per network in 15 minutes, regardless of their spacing.
  expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
});

test('disabling and new recovery codes always require the password', async () => {
  const { user, codes } = await createTwoFactorUser();
  for (const route of [twoFactorRoutes.disable, twoFactorRoutes.regenerateRecoveryCodes]) {
    const withoutPassword = await server.call(route, { body: {} }, user);
    expect([withoutPassword.status, withoutPassword.error?.reason]).toEqual([422, 'current_password']);
    const guess = await server.call(route, { body: { current_password: 'not this one' } }, user);
    expect(guess.status).toBe(422);
  }
  const body = { current_password: user.password };
  const renewed = await server.call(twoFactorRoutes.regenerateRecoveryCodes, { body }, user);
  expect(renewed.body.recovery_codes).toHaveLength(10);
  expect((await submitCode(await challengeFor(user), codes[0]!)).status).toBe(422);
  expect((await server.call(twoFactorRoutes.disable, { body }, user)).status).toBe(200);
  expect((await login(user)).json()).toHaveProperty('access_token');
});

test('an unconfirmed secret is not enforced, and an active one is not replaced', async () => {
  const unconfirmed = await server.signUp();
  await server.call(twoFactorRoutes.setUp, { body: {} }, unconfirmed);
  expect((await login(unconfirmed)).json()).toHaveProperty('access_token');
  const { user } = await createTwoFactorUser();
  const again = await server.call(twoFactorRoutes.setUp, { body: { current_password: user.password } }, user);
  expect([again.status, again.error?.reason]).toEqual([409, 'two_factor_enabled']);
});

test('enabling and disabling revoke all other sessions', async () => {
  const user = await server.signUp();
  const before = await server.signIn(user);
  const { secret } = (await server.call(twoFactorRoutes.setUp, { body: {} }, user)).body;
  const confirm = { body: { code: currentCode(secret) } };
  expect((await server.call(twoFactorRoutes.confirm, confirm, user)).status).toBe(200);
  expect([await isSignedIn(user), await isSignedIn(before)]).toEqual([true, false]);

  server.advance(30);
  const signedIn = await submitCode(await challengeFor(user), currentCode(secret));
  const other = { ...user, accessToken: signedIn.body.access_token };
  const body = { current_password: user.password };
  expect(await isSignedIn(other)).toBe(true);
  expect((await server.call(twoFactorRoutes.disable, { body }, user)).status).toBe(200);
  expect([await isSignedIn(user), await isSignedIn(other)]).toEqual([true, false]);
});
