import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { identityRoutes } from '#contract/identities.ts';
import { keyRoutes } from '#contract/keys.ts';
import { projectRoutes } from '#contract/projects.ts';
import { signInPolicyRoutes } from '#contract/sign-in-policy.ts';
import { signInProviderRoutes } from '#contract/sign-in-providers.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { saveSignInPolicy } from '../identity/sign-in-policy.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { saveIssuer } from './issuers.ts';
import { generateTotp } from './testing-authenticator.ts';

let server: TestApp;
let admin: TestUser;
let member: TestUser;

beforeAll(async () => {
  const client = {
    clientId: 'x',
    clientSecret: 'x',
    url: 'https://github.example',
    apiUrl: 'https://github.example',
  };
  const issuer = {
    id: 'acme',
    name: 'Acme',
    issuer: 'https://id.example',
    clientId: 'x',
    clientSecret: 'x',
    scopes: 'openid',
    groupsClaim: 'groups',
    adminGroups: [],
  };
  server = await testApp({ config: { signIn: { github: client, google: null, issuers: [issuer] } } });
  admin = await server.signUp('root');
  member = await server.signUp('mia');
});
afterAll(() => server.close());
beforeEach(async () => {
  const policy = { ssoRequired: false, secondFactorRequired: false, breakGlass: [] };
  await saveSignInPolicy(server.deps, policy);
  admin = await server.signIn(admin);
  member = await server.signIn(member);
});

const login = async (user: TestUser) =>
  await server.call(authRoutes.login, { body: { username: user.email, password: user.password } });
const update = async (body: {
  sso_required?: boolean;
  second_factor_required?: boolean;
  break_glass_user_ids?: string[];
}) => await server.call(signInPolicyRoutes.update, { body }, admin);

test('enforced single sign-on closes passwords, sign-up and other services, except for break-glass', async () => {
  const { body } = await update({ sso_required: true, break_glass_user_ids: [admin.id] });
  expect(body).toMatchObject({ sso_required: true, break_glass: [{ username: 'root' }] });
  const refused = await login(member);
  expect([refused.status, refused.error?.reason]).toEqual([409, 'sso_required']);
  expect((await login({ ...member, password: 'wrong' })).status).toBe(401);
  expect((await login(admin)).status).toBe(200);
  const account = { username: 'newcomer', email: 'n@example.org', password: 'a quiet harbour at dawn' };
  expect((await server.call(authRoutes.register, { body: account })).error?.reason).toBe('sso_required');
  const github = { params: { provider: 'github' }, body: {} };
  expect((await server.call(identityRoutes.startOAuth, github)).error?.reason).toBe('sso_required');
  const setup = (await server.call(authRoutes.setup, {})).body;
  expect(setup).toMatchObject({
    sso_required: true,
    oauth_providers: { github: false },
    issuers: [{ id: 'acme' }],
  });
});

test('enforcing single sign-on signs everybody else out', async () => {
  await update({ sso_required: true, break_glass_user_ids: [admin.id] });
  expect((await server.call(accountRoutes.me, {}, member)).status).toBe(401);
  expect((await server.call(accountRoutes.me, {}, admin)).status).toBe(200);
});

test.each([
  ['nobody', () => []],
  ['somebody who is no administrator', () => [member.id]],
  ['an account that does not exist', () => ['nobody']],
])('single sign-on is not enforced with %s as break-glass', async (_who, ids) => {
  const reply = await update({ sso_required: true, break_glass_user_ids: ids() });
  expect([reply.status, reply.error?.reason]).toEqual([422, 'break_glass']);
  expect((await login(member)).status).toBe(200);
});

test('single sign-on is not enforced without a provider, and keeps the last one', async () => {
  const bare = await testApp();
  const root = await bare.signUp('root');
  const body = { sso_required: true, break_glass_user_ids: [root.id] };
  const reply = await bare.call(signInPolicyRoutes.update, { body }, root);
  expect(reply.error?.reason).toBe('no_provider');
  const client = {
    clientId: 'x',
    clientSecret: 'x',
    scopes: 'openid',
    groupsClaim: 'groups',
    adminGroups: [],
  };
  await saveIssuer(bare.deps, { id: 'works', name: 'Works', issuer: 'https://id.example', ...client });
  expect((await bare.call(signInPolicyRoutes.update, { body }, root)).status).toBe(200);
  const removed = await bare.call(signInProviderRoutes.remove, { params: { id: 'works' } }, root);
  expect(removed.error?.reason).toBe('no_provider');
  await bare.close();
});

test('a required second factor closes everything but its setup, also for API keys', async () => {
  const body = { name: 'x', scope: 'read' as const };
  const { key: secret } = (await server.call(keyRoutes.create, { body }, member)).body;
  await update({ second_factor_required: true });
  const closed = await server.call(projectRoutes.list, {}, member);
  expect([closed.status, closed.error?.reason]).toEqual([409, 'second_factor_required']);
  const byKey = await server.inject({ url: '/api/projects', headers: { authorization: `Bearer ${secret}` } });
  expect([byKey.statusCode, byKey.json().error.reason]).toEqual([409, 'second_factor_required']);
  expect((await server.call(accountRoutes.me, {}, member)).body.second_factor_required).toBe(true);

  const started = await server.call(twoFactorRoutes.setUp, { body: {} }, member);
  const code = generateTotp(started.body.secret, server.deps.now());
  expect((await server.call(twoFactorRoutes.confirm, { body: { code } }, member)).status).toBe(200);
  expect((await server.call(projectRoutes.list, {}, member)).status).toBe(200);
  expect((await server.call(accountRoutes.me, {}, member)).body).not.toHaveProperty('second_factor_required');
  const off = await server.call(
    twoFactorRoutes.disable,
    { body: { current_password: member.password } },
    member,
  );
  expect(off.error?.reason).toBe('second_factor_required');
  await server.deps.db.updateTable('users').set({ totp_secret: null }).where('id', '=', member.id).execute();
});
