import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { identityRoutes, type OAuthProviderName } from '#contract/identities.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { createSignupInvitation, saveSignupMode } from '../identity/signup.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { generateTotp } from './testing-authenticator.ts';
import { type FakeOAuthProvider, startFakeProvider, TEST_CLIENT } from './testing-oauth-provider.ts';

let provider: FakeOAuthProvider;
let server: TestApp;
let admin: TestUser;

beforeAll(async () => {
  provider = await startFakeProvider();
  server = await testApp({
    config: {
      publicUrl: 'http://hindsight.example',
      signIn: {
        github: { ...TEST_CLIENT, url: provider.url, apiUrl: `${provider.url}/api` },
        google: { ...TEST_CLIENT, issuerUrl: provider.url },
        issuers: [],
      },
    },
  });
  admin = await server.signUp('admin');
});
afterAll(async () => {
  await server.close();
  await provider.close();
});
afterEach(() => {
  Object.assign(provider.state, { emailVerified: true, claims: {}, signWithUnpublishedKey: false });
});

let subjects = 100;
/** Makes the provider authorize a new account. */
function setExternalUser(login: string, email = `${login}@example.org`): void {
  subjects += 1;
  Object.assign(provider.state, { subject: subjects, login, email });
}

let ipCount = 0;
const nextIp = () => {
  ipCount += 1;
  return `10.60.${ipCount}.1`;
};

/** Starts a sign-in; returns the authorization URL and the state cookie. */
async function startSignIn(service: OAuthProviderName, body: object = {}) {
  const url = `/api/auth/social/${service}`;
  const reply = await server.inject({ method: 'POST', url, payload: body, remoteAddress: nextIp() });
  return { authorizeUrl: reply.json().url as string, cookie: reply.cookies[0]! };
}

/** Follows the callback, with or without the state cookie; returns the redirect and its cookies. */
async function followCallback(callback: URL, cookie: { name: string; value: string } | null) {
  const reply = await server.inject({
    url: callback.pathname + callback.search,
    ...(cookie && { cookies: { [cookie.name]: cookie.value } }),
    remoteAddress: nextIp(),
  });
  expect(reply.statusCode).toBe(303);
  return { to: reply.headers.location as string, cookies: reply.cookies };
}

async function signInBy(service: OAuthProviderName, body: object = {}) {
  const { authorizeUrl, cookie } = await startSignIn(service, body);
  return await followCallback(provider.approve(authorizeUrl), cookie);
}

/** Loads the account of a reply’s refresh cookie. */
async function loadSessionUser(cookies: { name: string; value: string }[]) {
  const refresh = cookies.find(({ name }) => name.startsWith('hindsight_refresh'));
  expect(refresh).toBeDefined();
  const reply = await server.inject({
    method: 'POST',
    url: '/api/auth/refresh',
    cookies: { [refresh!.name]: refresh!.value },
  });
  const user = { ...admin, accessToken: reply.json().access_token as string };
  return { user, profile: (await server.call(accountRoutes.me, {}, user)).body };
}

const markVerified = async (user: TestUser) =>
  await server.deps.db
    .updateTable('users')
    .set({ email_verified_at: new Date() })
    .where('id', '=', user.id)
    .execute();

test('the setup route lists configured providers, and others are rejected', async () => {
  expect((await server.call(authRoutes.setup, {})).body.oauth_providers).toEqual({
    github: true,
    google: true,
  });
  const unconfigured = await testApp();
  const params = { provider: 'github' as const };
  const refused = await unconfigured.call(identityRoutes.startOAuth, { params, body: {} });
  expect([refused.status, refused.error?.reason]).toEqual([400, 'not_configured']);
  await unconfigured.close();
});

test.each(['github', 'google'] as const)(
  '%s creates an account and signs in to it again',
  async (service) => {
    setExternalUser(`new-${service}`);
    const first = await signInBy(service, { next: '/projects' });
    expect(first.to).toBe('/login?social=in&next=%2Fprojects');
    const { profile } = await loadSessionUser(first.cookies);
    expect(profile).toMatchObject({
      username: `new-${service}`,
      email: `new-${service}@example.org`,
      role: 'user',
    });
    const second = await loadSessionUser((await signInBy(service)).cookies);
    expect(second.profile.id).toBe(profile.id);
  },
);

test('the authorization request uses PKCE with a fresh state and nonce', async () => {
  const authorizeParams = new URL((await startSignIn('google')).authorizeUrl).searchParams;
  const again = new URL((await startSignIn('google')).authorizeUrl).searchParams;
  expect(authorizeParams.get('redirect_uri')).toBe(
    'http://hindsight.example/api/auth/social/google/callback',
  );
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(authorizeParams.get(name)).toMatch(/^[\w-]{22,43}$/);
    expect(again.get(name)).not.toBe(authorizeParams.get(name));
  }
});

test('the state is bound to the browser and single-use', async () => {
  setExternalUser('careful');
  const { authorizeUrl, cookie } = await startSignIn('github');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api/auth/social' });
  const callback = provider.approve(authorizeUrl);
  expect((await followCallback(callback, null)).to).toBe('/login?social=state_mismatch');
  const other = await startSignIn('github');
  expect((await followCallback(callback, other.cookie)).to).toBe('/login?social=state_mismatch');
  expect((await followCallback(callback, cookie)).to).toBe('/login?social=in');
  expect((await followCallback(callback, cookie)).to).toBe('/login?social=state_mismatch');
});

test('a state is bound to its provider and expires after ten minutes', async () => {
  setExternalUser('mixed');
  const { authorizeUrl, cookie } = await startSignIn('github');
  const callback = provider.approve(authorizeUrl);
  callback.pathname = callback.pathname.replace('github', 'google');
  expect((await followCallback(callback, cookie)).to).toBe('/login?social=state_mismatch');
  const late = await startSignIn('github');
  const lateCallback = provider.approve(late.authorizeUrl);
  server.advance(10 * 60 + 1);
  expect((await followCallback(lateCallback, late.cookie)).to).toBe('/login?social=state_mismatch');
});

test('a code with another code verifier is rejected', async () => {
  setExternalUser('swapped');
  const [ownStart, otherStart] = [await startSignIn('github'), await startSignIn('github')];
  const callback = provider.approve(ownStart.authorizeUrl);
  callback.searchParams.set('code', provider.approve(otherStart.authorizeUrl).searchParams.get('code')!);
  expect((await followCallback(callback, ownStart.cookie)).to).toBe('/login?social=provider_failed');
});

test.each([
  ['nonce', { nonce: 'of another sign-in' }],
  ['audience', { aud: 'another client' }],
  ['authorised party', { azp: 'another client' }],
  ['issuer', { iss: 'https://accounts.evil.example' }],
  ['age', { exp: Math.floor(Date.now() / 1000) - 3600 }],
])('an ID token with a wrong %s is rejected', async (_what, claims) => {
  setExternalUser('forged');
  provider.state.claims = claims;
  const { to, cookies } = await signInBy('google');
  expect(to).toBe('/login?social=provider_failed');
  expect(cookies.filter(({ name, value }) => name.startsWith('hindsight_refresh') && value)).toEqual([]);
});

test('an ID token with an unknown signing key is rejected', async () => {
  setExternalUser('signed-by-others');
  provider.state.signWithUnpublishedKey = true;
  expect((await signInBy('google')).to).toBe('/login?social=provider_failed');
});

test('a denied authorization is reported', async () => {
  const { authorizeUrl, cookie } = await startSignIn('github');
  const callback = provider.approve(authorizeUrl);
  callback.searchParams.delete('code');
  callback.searchParams.set('error', 'access_denied');
  expect((await followCallback(callback, cookie)).to).toBe('/login?social=access_denied');
});

test('accounts are linked by email only when both sides have verified it', async () => {
  const user = await server.signUp('grace');
  setExternalUser('grace-elsewhere', user.email.toUpperCase());
  provider.state.emailVerified = false;
  await markVerified(user);
  expect((await signInBy('github')).to).toBe('/login?social=email_unverified');

  provider.state.emailVerified = true;
  await server.deps.db
    .updateTable('users')
    .set({ email_verified_at: null })
    .where('id', '=', user.id)
    .execute();
  expect((await signInBy('github')).to).toBe('/login?social=account_not_linked');

  await markVerified(user);
  const { profile } = await loadSessionUser((await signInBy('github')).cookies);
  expect(profile.id).toBe(user.id);
});

test('a signed-in user links and unlinks an external account', async () => {
  const user = await server.signUp('heidi');
  setExternalUser('heidi-elsewhere', 'private@example.org');
  const params = { provider: 'github' as const };
  const started = await server.call(identityRoutes.link, { params, body: {} }, user);
  const callback = provider.approve(started.body.url);
  expect((await followCallback(callback, started.raw.cookies[0]!)).to).toBe('/settings?linked=done');
  const { profile } = await loadSessionUser((await signInBy('github')).cookies);
  expect(profile.id).toBe(user.id);

  const list = await server.call(identityRoutes.list, {}, user);
  expect(list.body).toEqual({
    identities: [{ provider: 'github', name: 'heidi-elsewhere', created_at: expect.any(String) }],
    has_password: true,
  });
  expect((await server.call(identityRoutes.unlink, { params }, user)).status).toBe(200);
  const again = await loadSessionUser((await signInBy('github')).cookies);
  expect(again.profile.id).not.toBe(user.id);
});

test('linking requires the password ten minutes after the sign-in', async () => {
  const user = await server.signUp('ivan');
  server.advance(11 * 60);
  const params = { provider: 'github' as const };
  const late = await server.call(identityRoutes.link, { params, body: {} }, user);
  expect([late.status, late.error?.reason]).toEqual([422, 'current_password']);
});

test('an external account is linked to one user', async () => {
  setExternalUser('judy-elsewhere');
  await signInBy('github');
  const user = await server.signUp('judy');
  const params = { provider: 'github' as const };
  const started = await server.call(identityRoutes.link, { params, body: {} }, user);
  const callback = provider.approve(started.body.url);
  expect((await followCallback(callback, started.raw.cookies[0]!)).to).toBe(
    '/settings?linked=already_linked',
  );
});

test('the last sign-in method cannot be unlinked without a password', async () => {
  setExternalUser('only-google');
  const { user } = await loadSessionUser((await signInBy('google')).cookies);
  const params = { provider: 'google' as const };
  const refused = await server.call(identityRoutes.unlink, { params }, user);
  expect([refused.status, refused.error?.reason]).toEqual([409, 'last_sign_in_method']);
  const body = { new_password: 'a quiet harbour at noon' };
  expect((await server.call(authRoutes.changePassword, { body }, user)).status).toBe(200);
  expect((await server.call(identityRoutes.unlink, { params }, user)).status).toBe(200);
});

test('an account without a password accepts none', async () => {
  setExternalUser('no-password');
  await signInBy('github');
  for (const password of ['null', 'a quiet harbour at dawn']) {
    const body = { username: 'no-password', password };
    expect((await server.call(authRoutes.login, { body })).status).toBe(401);
  }
});

test('OAuth sign-in requires the second factor', async () => {
  setExternalUser('guarded');
  const { user } = await loadSessionUser((await signInBy('github')).cookies);
  const started = await server.call(twoFactorRoutes.setUp, { body: {} }, user);
  const code = generateTotp(started.body.secret, server.deps.now());
  await server.call(twoFactorRoutes.confirm, { body: { code } }, user);
  server.advance(30);

  const { to, cookies } = await signInBy('github', { next: '/debug' });
  expect(to).toMatch(/^\/login\?social=code&next=%2Fdebug#[\w-]{43}$/);
  expect(cookies.filter(({ name, value }) => name.startsWith('hindsight_refresh') && value)).toEqual([]);
  const body = { challenge: to.split('#')[1]!, code: generateTotp(started.body.secret, server.deps.now()) };
  expect((await server.call(twoFactorRoutes.signIn, { body })).status).toBe(200);
});

test('taken or invalid usernames are replaced', async () => {
  await server.signUp('taken');
  setExternalUser('taken', 'taken-too@example.org');
  expect((await loadSessionUser((await signInBy('github')).cookies)).profile.username).toMatch(
    /^taken-\d{4}$/,
  );
  setExternalUser('名', 'short@example.org');
  expect((await loadSessionUser((await signInBy('github')).cookies)).profile.username).toMatch(
    /^user-\d{4}$/,
  );
});

test('deactivation and invitations apply to OAuth sign-in', async () => {
  setExternalUser('shut');
  const { profile } = await loadSessionUser((await signInBy('github')).cookies);
  await server.deps.db.updateTable('users').set({ is_active: false }).where('id', '=', profile.id).execute();
  expect((await signInBy('github')).to).toBe('/login?social=deactivated');

  await saveSignupMode(server.deps, 'invite');
  setExternalUser('invited');
  expect((await signInBy('github')).to).toBe('/login?social=invitation_required');
  const issued = await createSignupInvitation(server.deps, {
    email: 'invited@example.org',
    invitedBy: admin.id,
  });
  expect((await signInBy('github', { invitation_token: issued.secret })).to).toBe('/login?social=in');
  setExternalUser('second');
  expect((await signInBy('github', { invitation_token: issued.secret })).to).toBe(
    '/login?social=invitation_invalid',
  );
  await saveSignupMode(server.deps, 'open');
});

test('the first account requires a password', async () => {
  const empty = await testApp({ config: server.deps.config });
  setExternalUser('first');
  const url = '/api/auth/social/github';
  const started = await empty.inject({ method: 'POST', url, payload: {} });
  const callback = provider.approve(started.json().url);
  const cookie = started.cookies[0]!;
  const reply = await empty.inject({
    url: callback.pathname + callback.search,
    cookies: { [cookie.name]: cookie.value },
  });
  expect(reply.headers.location).toBe('/login?social=first_account');
  await empty.close();
});
