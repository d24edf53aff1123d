import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { adminRoutes } from '#contract/admin.ts';
import { authRoutes } from '#contract/auth.ts';
import { identityRoutes } from '#contract/identities.ts';
import { projectRoutes } from '#contract/projects.ts';
import { signInProviderRoutes } from '#contract/sign-in-providers.ts';
import { teamRoutes } from '#contract/teams.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { ISSUER_CLIENT, startTestIssuer, type TestIssuer } from './testing-oidc-issuer.ts';

/** Sign-in by a certified OpenID Connect provider, oidc-provider. */

const PUBLIC_URL = 'http://hindsight.example';
const callback = (id: string) => `${PUBLIC_URL}/api/auth/social/${id}/callback`;

let issuer: TestIssuer;
let server: TestApp;
let admin: TestUser;

beforeAll(async () => {
  issuer = await startTestIssuer([callback('acme'), callback('works')]);
  server = await testApp({
    config: {
      publicUrl: PUBLIC_URL,
      signIn: {
        github: null,
        google: null,
        issuers: [
          {
            id: 'acme',
            name: 'Acme',
            issuer: issuer.url,
            ...ISSUER_CLIENT,
            scopes: 'openid email profile groups',
            groupsClaim: 'groups',
            adminGroups: ['platform'],
          },
        ],
      },
    },
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  server.deps.config.git.allowedPrivateHosts.push(issuer.host);
  admin = await server.signUp('root');
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

let ips = 0;
async function start(provider: string) {
  ips += 1;
  const url = `/api/auth/social/${provider}`;
  const reply = await server.inject({
    method: 'POST',
    url,
    payload: {},
    remoteAddress: `10.70.${ips >> 8}.${ips & 255}`,
  });
  return { url: reply.json().url as string, cookie: reply.cookies[0]!, reply };
}

async function follow(redirect: URL, cookie: { name: string; value: string }) {
  const reply = await server.inject({
    url: redirect.pathname + redirect.search,
    cookies: { [cookie.name]: cookie.value },
    remoteAddress: `10.71.${ips >> 8}.${ips & 255}`,
  });
  return { to: reply.headers.location as string, cookies: reply.cookies };
}

async function signInBy(provider: string) {
  const { url, cookie } = await start(provider);
  return await follow(await issuer.authorize(url), cookie);
}

async function profileOf(cookies: { name: string; value: string }[]) {
  const refresh = cookies.find(({ name }) => name.startsWith('hindsight_refresh'))!;
  const reply = await server.inject({
    method: 'POST',
    url: '/api/auth/refresh',
    cookies: { [refresh.name]: refresh.value },
  });
  const user = { ...admin, accessToken: reply.json().access_token as string };
  return { user, profile: (await server.call(accountRoutes.me, {}, user)).body };
}

test('the sign-in page receives the display name of each issuer', async () => {
  const { body } = await server.call(authRoutes.setup, {});
  expect(body.issuers).toEqual([{ id: 'acme', name: 'Acme' }]);
});

test('an issuer of the settings creates an account, and signs in to it again', async () => {
  Object.assign(issuer.account, { sub: 'grace', email: 'grace@example.org', name: 'Grace Hopper' });
  const first = await signInBy('acme');
  expect(first.to).toBe('/login?social=in');
  const { profile, user } = await profileOf(first.cookies);
  expect(profile).toMatchObject({ email: 'grace@example.org', full_name: 'Grace Hopper', role: 'user' });
  const again = await profileOf((await signInBy('acme')).cookies);
  expect(again.profile.id).toBe(profile.id);
  const linked = await server.call(identityRoutes.list, {}, user);
  expect(linked.body.identities).toMatchObject([{ provider: 'acme' }]);
});

test('a callback works once', async () => {
  const { url, cookie } = await start('acme');
  const redirect = await issuer.authorize(url);
  expect((await follow(redirect, cookie)).to).toBe('/login?social=in');
  expect((await follow(redirect, cookie)).to).toBe('/login?social=state_mismatch');
});

test('a code works once, also under another state', async () => {
  const first = await start('acme');
  const redirect = await issuer.authorize(first.url);
  expect((await follow(redirect, first.cookie)).to).toBe('/login?social=in');
  const second = await start('acme');
  const forged = await issuer.authorize(second.url);
  forged.searchParams.set('code', redirect.searchParams.get('code')!);
  expect((await follow(forged, second.cookie)).to).toBe('/login?social=provider_failed');
});

test('a response that names another issuer is refused', async () => {
  const { url, cookie } = await start('acme');
  const redirect = await issuer.authorize(url);
  redirect.searchParams.set('iss', 'https://evil.example');
  expect((await follow(redirect, cookie)).to).toBe('/login?social=provider_failed');
});

test('an unverified email creates no account', async () => {
  Object.assign(issuer.account, { sub: 'mallory', email: 'root@example.org', email_verified: false });
  expect((await signInBy('acme')).to).toBe('/login?social=email_unverified');
  issuer.account.email_verified = true;
});

test('an administrator adds, changes and deletes an issuer', async () => {
  const params = { id: 'works' };
  const body = { name: 'Works', issuer: `${issuer.url}/`, client_id: ISSUER_CLIENT.clientId };
  const missing = await server.call(signInProviderRoutes.save, { params, body }, admin);
  expect(missing.error?.fields).toHaveProperty('client_secret');
  const secret = { ...body, client_secret: ISSUER_CLIENT.clientSecret };
  const saved = await server.call(signInProviderRoutes.save, { params, body: secret }, admin);
  expect(saved.body).toMatchObject({ id: 'works', source: 'administrator', callback_url: callback('works') });
  expect(saved.raw.body).not.toContain(ISSUER_CLIENT.clientSecret);
  const row = await server.deps.db.selectFrom('sign_in_providers').selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(ISSUER_CLIENT.clientSecret);

  Object.assign(issuer.account, { sub: 'heidi', email: 'heidi@example.org', name: 'Heidi' });
  expect((await signInBy('works')).to).toBe('/login?social=in');

  const renamed = { ...body, name: 'The Works' };
  expect((await server.call(signInProviderRoutes.save, { params, body: renamed }, admin)).status).toBe(200);
  const moved = { ...body, issuer: 'https://other.example' };
  const refused = await server.call(signInProviderRoutes.save, { params, body: moved }, admin);
  expect(refused.error?.fields).toHaveProperty('issuer');

  expect((await server.call(signInProviderRoutes.remove, { params }, admin)).status).toBe(200);
  expect((await server.call(signInProviderRoutes.remove, { params }, admin)).status).toBe(404);
  const links = await server.deps.db
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', 'works')
    .execute();
  expect(links).toEqual([]);
  expect((await start('works')).reply.json().error.reason).toBe('not_configured');
});

test('an issuer of the settings cannot be changed on the page', async () => {
  const params = { id: 'acme' };
  const body = { name: 'X', issuer: issuer.url, client_id: 'x', client_secret: 'x' };
  const reply = await server.call(signInProviderRoutes.save, { params, body }, admin);
  expect([reply.status, reply.error?.reason]).toEqual([409, 'set_by_operator']);
});

test.each([
  ['http://127.0.0.1:9', 400],
  ['http://169.254.169.254', 400],
  ['ftp://issuer.example', 422],
])('an issuer at %s is refused', async (url, status) => {
  const body = { name: 'X', issuer: url, client_id: 'x', client_secret: 'x' };
  const reply = await server.call(signInProviderRoutes.save, { params: { id: 'inside' }, body }, admin);
  expect(reply.status).toBe(status);
});

test('groups make administrators and members of teams, until the next sign-in without them', async () => {
  const team = (await server.call(teamRoutes.create, { body: { name: 'Backend' } }, admin)).body.id;
  const groups = [{ provider: 'acme', group: 'backend' }];
  await server.call(teamRoutes.saveGroups, { params: { id: team }, body: { groups } }, admin);
  const project = await insertTestProject(server.deps, [[admin, 'owner']]);
  const access = { params: { id: team, project }, body: { role: 'editor' as const } };
  expect((await server.call(teamRoutes.saveProject, access, admin)).status).toBe(200);

  Object.assign(issuer.account, { sub: 'ivan', email: 'ivan@example.org', groups: ['platform', 'backend'] });
  const first = await profileOf((await signInBy('acme')).cookies);
  expect(first.profile.role).toBe('admin');
  const params = { id: project };
  expect((await server.call(projectRoutes.get, { params }, first.user)).status).toBe(200);

  issuer.account.groups = [];
  const second = await profileOf((await signInBy('acme')).cookies);
  expect(second.profile.role).toBe('user');
  expect((await server.call(projectRoutes.get, { params }, second.user)).status).toBe(404);
});

test('a role and a membership that people gave stay without the group', async () => {
  Object.assign(issuer.account, { sub: 'judy', email: 'judy@example.org', groups: ['x'] });
  const { profile } = await profileOf((await signInBy('acme')).cookies);
  const team = (await server.call(teamRoutes.create, { body: { name: 'Frontend' } }, admin)).body.id;
  const added = { params: { id: team }, body: { identifier: 'judy@example.org' } };
  expect((await server.call(teamRoutes.addMember, added, admin)).status).toBe(201);
  await server.call(adminRoutes.updateUser, { params: { id: profile.id }, body: { role: 'admin' } }, admin);
  const again = await profileOf((await signInBy('acme')).cookies);
  expect(again.profile.role).toBe('admin');
  const { members } = (await server.call(teamRoutes.get, { params: { id: team } }, admin)).body;
  expect(members.map(({ user_id }) => user_id)).toContain(profile.id);
});
