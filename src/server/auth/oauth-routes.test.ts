import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { identityRoutes, type OAuthProviderName } from '#contract/identities.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { createSignupInvitation, saveSignupMode } from '../identity/signup.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { type FakeOAuthProvider, startFakeProvider, TEST_CLIENT } from './testing-oauth-provider.ts';
import { generateTotp } from './totp.ts';

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
/** Somebody new at the services. */
function newcomer(login: string, email = `${login}@example.org`): void {
  subjects += 1;
  Object.assign(provider.state, { subject: subjects, login, email });
}

let addresses = 0;
const fresh = () => {
  addresses += 1;
  return `10.60.${addresses}.1`;
};

/** Begins to sign in; the browser keeps the cookie and is sent to the address. */
async function begin(service: OAuthProviderName, body: object = {}) {
  const url = `/api/auth/social/${service}`;
  const reply = await server.inject({ method: 'POST', url, payload: body, remoteAddress: fresh() });
  return { authorizeUrl: reply.json().url as string, cookie: reply.cookies[0]! };
}

/** Comes back from the service, with the cookie or without; returns where the page leads and the cookies it set. */
async function comeBack(back: URL, cookie: { name: string; value: string } | null) {
  const reply = await server.inject({
    url: back.pathname + back.search,
    ...(cookie && { cookies: { [cookie.name]: cookie.value } }),
    remoteAddress: fresh(),
  });
  expect(reply.statusCode).toBe(303);
  return { to: reply.headers.location as string, cookies: reply.cookies };
}

async function signInBy(service: OAuthProviderName, body: object = {}) {
  const { authorizeUrl, cookie } = await begin(service, body);
  return await comeBack(provider.approve(authorizeUrl), cookie);
}

/** The account that the refresh cookie of a reply opens. */
async function whoIs(cookies: { name: string; value: string }[]) {
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

test('the sign-in page hears which services are set up, and what is not answers in words', async () => {
  expect((await server.call(authRoutes.setup, {})).body.oauth_providers).toEqual({
    github: true,
    google: true,
  });
  const bare = await testApp();
  const params = { provider: 'github' as const };
  const refused = await bare.call(identityRoutes.startOAuth, { params, body: {} });
  expect([refused.status, refused.error?.reason]).toEqual([400, 'not_set_up']);
  await bare.close();
});

test.each(['github', 'google'] as const)(
  '%s makes an account, and opens the same one again',
  async (service) => {
    newcomer(`new-${service}`);
    const first = await signInBy(service, { next: '/projects' });
    expect(first.to).toBe('/login?social=in&next=%2Fprojects');
    const { profile } = await whoIs(first.cookies);
    expect(profile).toMatchObject({
      username: `new-${service}`,
      email: `new-${service}@example.org`,
      role: 'user',
    });
    const second = await whoIs((await signInBy(service)).cookies);
    expect(second.profile.id).toBe(profile.id);
  },
);

test('the request asks by PKCE, with a state and a nonce of its own each time', async () => {
  const asked = new URL((await begin('google')).address).searchParams;
  const again = new URL((await begin('google')).address).searchParams;
  expect(asked.get('redirect_uri')).toBe('http://hindsight.example/api/auth/social/google/callback');
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(asked.get(name)).toMatch(/^[\w-]{22,43}$/);
    expect(again.get(name)).not.toBe(asked.get(name));
  }
});

test('only the browser that began comes in, once', async () => {
  newcomer('careful');
  const { authorizeUrl, cookie } = await begin('github');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api/auth/social' });
  const back = provider.approve(authorizeUrl);
  expect((await comeBack(back, null)).to).toBe('/login?social=foreign');
  const other = await begin('github');
  expect((await comeBack(back, other.cookie)).to).toBe('/login?social=foreign');
  expect((await comeBack(back, cookie)).to).toBe('/login?social=in');
  expect((await comeBack(back, cookie)).to).toBe('/login?social=foreign');
});

test('a state of one service is worth nothing at the other, and none after ten minutes', async () => {
  newcomer('mixed');
  const { authorizeUrl, cookie } = await begin('github');
  const back = provider.approve(authorizeUrl);
  back.pathname = back.pathname.replace('github', 'google');
  expect((await comeBack(back, cookie)).to).toBe('/login?social=foreign');
  const late = await begin('github');
  const lateBack = provider.approve(late.address);
  server.advance(10 * 60 + 1);
  expect((await comeBack(lateBack, late.cookie)).to).toBe('/login?social=foreign');
});

test('a code that was made for another verifier is refused', async () => {
  newcomer('swapped');
  const [mine, theirs] = [await begin('github'), await begin('github')];
  const back = provider.approve(mine.address);
  back.searchParams.set('code', provider.approve(theirs.address).searchParams.get('code')!);
  expect((await comeBack(back, mine.cookie)).to).toBe('/login?social=service_failed');
});

test.each([
  ['nonce', { nonce: 'of another sign-in' }],
  ['audience', { aud: 'another client' }],
  ['authorised party', { azp: 'another client' }],
  ['issuer', { iss: 'https://accounts.evil.example' }],
  ['age', { exp: Math.floor(Date.now() / 1000) - 3600 }],
])('an identity with a wrong %s opens nothing', async (_what, claims) => {
  newcomer('forged');
  provider.state.claims = claims;
  const { to, cookies } = await signInBy('google');
  expect(to).toBe('/login?social=service_failed');
  expect(cookies.filter(({ name, value }) => name.startsWith('hindsight_refresh') && value)).toEqual([]);
});

test('an identity that a foreign key signed opens nothing', async () => {
  newcomer('signed-by-others');
  provider.state.signWithUnpublishedKey = true;
  expect((await signInBy('google')).to).toBe('/login?social=service_failed');
});

test('who turns back at the service is told so', async () => {
  const { authorizeUrl, cookie } = await begin('github');
  const back = provider.approve(authorizeUrl);
  back.searchParams.delete('code');
  back.searchParams.set('error', 'access_denied');
  expect((await comeBack(back, cookie)).to).toBe('/login?social=refused');
});

test('an account with the same address is connected only where both sides have confirmed it', async () => {
  const user = await server.signUp('grace');
  newcomer('grace-elsewhere', user.email.toUpperCase());
  provider.state.emailVerified = false;
  await markVerified(user);
  expect((await signInBy('github')).to).toBe('/login?social=email_unverified');

  provider.state.emailVerified = true;
  await server.deps.db
    .updateTable('users')
    .set({ email_verified_at: null })
    .where('id', '=', user.id)
    .execute();
  expect((await signInBy('github')).to).toBe('/login?social=link_by_hand');

  await markVerified(user);
  const { profile } = await whoIs((await signInBy('github')).cookies);
  expect(profile.id).toBe(user.id);
});

test('a signed-in user connects an account by hand and lets go of it', async () => {
  const user = await server.signUp('heidi');
  newcomer('heidi-elsewhere', 'private@example.org');
  const params = { provider: 'github' as const };
  const started = await server.call(identityRoutes.link, { params, body: {} }, user);
  const back = provider.approve(started.body.url);
  expect((await comeBack(back, started.raw.cookies[0]!)).to).toBe('/settings?linked=done');
  const { profile } = await whoIs((await signInBy('github')).cookies);
  expect(profile.id).toBe(user.id);

  const list = await server.call(identityRoutes.list, {}, user);
  expect(list.body).toEqual({
    identities: [{ provider: 'github', name: 'heidi-elsewhere', created_at: expect.any(String) }],
    has_password: true,
  });
  expect((await server.call(identityRoutes.unlink, { params }, user)).status).toBe(200);
  const again = await whoIs((await signInBy('github')).cookies);
  expect(again.profile.id).not.toBe(user.id);
});

test('connecting asks for the password once the sign-in is ten minutes old', async () => {
  const user = await server.signUp('ivan');
  server.advance(11 * 60);
  const params = { provider: 'github' as const };
  const late = await server.call(identityRoutes.link, { params, body: {} }, user);
  expect([late.status, late.error?.reason]).toEqual([422, 'current_password']);
});

test('an account elsewhere opens one account here', async () => {
  newcomer('judy-elsewhere');
  await signInBy('github');
  const user = await server.signUp('judy');
  const params = { provider: 'github' as const };
  const started = await server.call(identityRoutes.link, { params, body: {} }, user);
  const back = provider.approve(started.body.url);
  expect((await comeBack(back, started.raw.cookies[0]!)).to).toBe('/settings?linked=linked_elsewhere');
});

test('the last way into an account stays until it has a password', async () => {
  newcomer('only-google');
  const { user } = await whoIs((await signInBy('google')).cookies);
  const params = { provider: 'google' as const };
  const refused = await server.call(identityRoutes.unlink, { params }, user);
  expect([refused.status, refused.error?.reason]).toEqual([409, 'last_way_in']);
  const body = { new_password: 'a quiet harbour at noon' };
  expect((await server.call(authRoutes.changePassword, { body }, user)).status).toBe(200);
  expect((await server.call(identityRoutes.unlink, { params }, user)).status).toBe(200);
});

test('an account without a password is not opened by any', async () => {
  newcomer('no-password');
  await signInBy('github');
  for (const password of ['null', 'a quiet harbour at dawn']) {
    const body = { username: 'no-password', password };
    expect((await server.call(authRoutes.login, { body })).status).toBe(401);
  }
});

test('the second factor is asked for on this way too', async () => {
  newcomer('guarded');
  const { user } = await whoIs((await signInBy('github')).cookies);
  const begun = await server.call(twoFactorRoutes.setUp, { body: {} }, user);
  const code = generateTotp(begun.body.secret, server.deps.now());
  await server.call(twoFactorRoutes.confirm, { body: { code } }, user);
  server.advance(30);

  const { to, cookies } = await signInBy('github', { next: '/debug' });
  expect(to).toMatch(/^\/login\?social=code&next=%2Fdebug#[\w-]{43}$/);
  expect(cookies.filter(({ name, value }) => name.startsWith('hindsight_refresh') && value)).toEqual([]);
  const body = { challenge: to.split('#')[1]!, code: generateTotp(begun.body.secret, server.deps.now()) };
  expect((await server.call(twoFactorRoutes.signIn, { body })).status).toBe(200);
});

test('names that are taken or impossible become others', async () => {
  await server.signUp('taken');
  newcomer('taken', 'taken-too@example.org');
  expect((await whoIs((await signInBy('github')).cookies)).profile.username).toMatch(/^taken-\d{4}$/);
  newcomer('名', 'short@example.org');
  expect((await whoIs((await signInBy('github')).cookies)).profile.username).toMatch(/^user-\d{4}$/);
});

test('a deactivated account stays shut, and invitations hold here too', async () => {
  newcomer('shut');
  const { profile } = await whoIs((await signInBy('github')).cookies);
  await server.deps.db.updateTable('users').set({ is_active: false }).where('id', '=', profile.id).execute();
  expect((await signInBy('github')).to).toBe('/login?social=deactivated');

  await saveSignupMode(server.deps, 'invite');
  newcomer('invited');
  expect((await signInBy('github')).to).toBe('/login?social=invitation_needed');
  const made = await createSignupInvitation(server.deps, {
    email: 'invited@example.org',
    invitedBy: admin.id,
  });
  expect((await signInBy('github', { invitation: made.secret })).to).toBe('/login?social=in');
  newcomer('second');
  expect((await signInBy('github', { invitation: made.secret })).to).toBe('/login?social=invitation_over');
  await saveSignupMode(server.deps, 'open');
});

test('the very first account is made with a password', async () => {
  const empty = await testApp({ config: server.deps.config });
  newcomer('first');
  const url = '/api/auth/social/github';
  const begun = await empty.inject({ method: 'POST', url, payload: {} });
  const back = provider.approve(begun.json().address);
  const cookie = begun.cookies[0]!;
  const reply = await empty.inject({
    url: back.pathname + back.search,
    cookies: { [cookie.name]: cookie.value },
  });
  expect(reply.headers.location).toBe('/login?social=first_account');
  await empty.close();
});
