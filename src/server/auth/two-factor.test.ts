import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { generateTotp } from './totp.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

/** Whether a sign-in still opens the account. */
const opens = async (user: TestUser) => (await server.call(accountRoutes.me, {}, user)).status === 200;

/** An account whose second factor is on, and what its owner holds. */
async function guarded(): Promise<{ user: TestUser; key: string; codes: string[] }> {
  const user = await server.signUp();
  const begun = await server.call(twoFactorRoutes.setUp, { body: {} }, user);
  const key = begun.body.secret;
  const code = generateTotp(key, server.deps.now());
  const { body } = await server.call(twoFactorRoutes.confirm, { body: { code } }, user);
  // The code of this step has been used now.
  server.advance(30);
  return { user, key, codes: body.recovery_codes };
}

let addresses = 0;
/** Each call from a network of its own, so that limits per address stay out of the way. */
const login = async (user: TestUser) => {
  addresses += 1;
  return await server.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: new URLSearchParams({ username: user.email, password: user.password }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    remoteAddress: `10.51.${addresses}.1`,
  });
};
const challengeFor = async (user: TestUser) => (await login(user)).json().challenge as string;
const finish = async (challenge: string, code: string, from?: string) => {
  addresses += 1;
  const raw = await server.inject({
    method: 'POST',
    url: '/api/auth/two-factor/sign-in',
    payload: { challenge, code },
    remoteAddress: from ?? `10.50.${addresses}.1`,
  });
  return { status: raw.statusCode, body: raw.json(), error: raw.json().error };
};
const current = (key: string) => generateTotp(key, server.deps.now());
const wrong = (key: string) => String((Number(current(key)) + 1) % 1_000_000).padStart(6, '0');

test('without a second factor signing in answers as the specification says, and nothing more', async () => {
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

test('with one the password alone opens nothing, and the code opens the account', async () => {
  const { user, key } = await guarded();
  const reply = await login(user);
  expect(reply.json()).toEqual({ two_factor_required: true, challenge: expect.any(String), expires_in: 300 });
  expect(reply.cookies).toEqual([]);
  const { challenge } = reply.json();
  const refused = await finish(challenge, wrong(key));
  expect([refused.status, refused.error?.reason]).toEqual([422, 'wrong_code']);
  const inside = await finish(challenge, current(key));
  expect(inside.status).toBe(200);
  const again = { ...user, accessToken: inside.body.access_token };
  expect((await server.call(accountRoutes.me, {}, again)).body.two_factor_enabled).toBe(true);
  // The challenge was used up with it.
  expect((await finish(challenge, current(key))).error?.reason).toBe('challenge_over');
});

test('a code works once, also for two who come at once, and an earlier one no more', async () => {
  const { user, key } = await guarded();
  const challenges = await Promise.all([1, 2, 3].map(() => challengeFor(user)));
  const earlier = generateTotp(key, new Date(server.deps.now().getTime() - 30_000));
  const replies = await Promise.all(challenges.map((challenge) => finish(challenge, current(key))));
  const refused = replies.filter(({ status }) => status !== 200).map(({ status }) => status);
  expect(refused).toHaveLength(2);
  // Of tries that come close together some are put off before their code is looked at.
  for (const status of refused) expect([422, 429]).toContain(status);
  server.advance(5);
  expect((await finish(await challengeFor(user), earlier)).status).toBe(422);
  server.advance(30);
  expect((await finish(await challengeFor(user), current(key))).status).toBe(200);
});

test('each of ten recovery codes works once, however it is typed', async () => {
  const { user, codes } = await guarded();
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  const typed = codes[0]!.toUpperCase().replaceAll('-', ' ');
  expect((await finish(await challengeFor(user), typed)).status).toBe(200);
  expect((await finish(await challengeFor(user), codes[0]!)).status).toBe(422);
  const inside = await finish(await challengeFor(user), codes[1]!);
  const again = { ...user, accessToken: inside.body.access_token };
  const state = await server.call(twoFactorRoutes.state, {}, again);
  expect(state.body).toEqual({ enabled: true, recovery_codes_remaining: 8 });
});

test('neither the key nor a recovery code lies readable in the database', async () => {
  const { user, key, codes } = await guarded();
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

test('the challenge is over after five minutes, and with a new password', async () => {
  const { user, key } = await guarded();
  const late = await challengeFor(user);
  server.advance(5 * 60 + 1);
  expect((await finish(late, current(key))).error?.reason).toBe('challenge_over');

  const open = await challengeFor(user);
  const body = { current_password: user.password, new_password: 'another harbour at dusk' };
  expect((await server.call(authRoutes.changePassword, { body }, user)).status).toBe(200);
  expect((await finish(open, current(key))).error?.reason).toBe('challenge_over');
});

test('guessing codes is stopped as guessing passwords is, over all challenges', async () => {
  const { user, key } = await guarded();
  const statuses = [];
  for (let round = 0; round < 12; round += 1) {
    statuses.push((await finish(await challengeFor(user), wrong(key), '10.52.0.1')).status);
    server.advance(31);
  }
  // Ten from one network within a quarter of an hour, however slowly they come.
  expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
});

test('turning it off and new recovery codes need the password, however new the sign-in is', async () => {
  const { user, codes } = await guarded();
  for (const route of [twoFactorRoutes.disable, twoFactorRoutes.regenerateRecoveryCodes]) {
    const bare = await server.call(route, { body: {} }, user);
    expect([bare.status, bare.error?.reason]).toEqual([422, 'current_password']);
    const guess = await server.call(route, { body: { current_password: 'not this one' } }, user);
    expect(guess.status).toBe(422);
  }
  const body = { current_password: user.password };
  const renewed = await server.call(twoFactorRoutes.regenerateRecoveryCodes, { body }, user);
  expect(renewed.body.recovery_codes).toHaveLength(10);
  expect((await finish(await challengeFor(user), codes[0]!)).status).toBe(422);
  expect((await server.call(twoFactorRoutes.disable, { body }, user)).status).toBe(200);
  expect((await login(user)).json()).toHaveProperty('access_token');
});

test('a key that was never confirmed asks for nothing, and one that is on is not replaced', async () => {
  const begun = await server.signUp();
  await server.call(twoFactorRoutes.setUp, { body: {} }, begun);
  expect((await login(begun)).json()).toHaveProperty('access_token');
  const { user } = await guarded();
  const again = await server.call(twoFactorRoutes.setUp, { body: { current_password: user.password } }, user);
  expect([again.status, again.error?.reason]).toEqual([409, 'two_factor_enabled']);
});

test('turning it on and off ends every other sign-in', async () => {
  const user = await server.signUp();
  const before = await server.signIn(user);
  const { secret } = (await server.call(twoFactorRoutes.setUp, { body: {} }, user)).body;
  const confirm = { body: { code: current(secret) } };
  expect((await server.call(twoFactorRoutes.confirm, confirm, user)).status).toBe(200);
  expect([await opens(user), await opens(before)]).toEqual([true, false]);

  server.advance(30);
  const inside = await finish(await challengeFor(user), current(secret));
  const other = { ...user, accessToken: inside.body.access_token };
  const body = { current_password: user.password };
  expect(await opens(other)).toBe(true);
  expect((await server.call(twoFactorRoutes.disable, { body }, user)).status).toBe(200);
  expect([await opens(user), await opens(other)]).toEqual([true, false]);
});
