import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../testing.ts';
import { fetchThroughEgress } from './providers/oauth-requests.ts';
import { type FakeOAuthProvider, startFakeProvider, TEST_CLIENT } from './testing-oauth-provider.ts';

/** Hostile and broken OpenID Connect issuers: none of them signs anybody in. */

let provider: FakeOAuthProvider;
let server: TestApp;

beforeAll(async () => {
  provider = await startFakeProvider();
  const fields = { scopes: 'openid email', groupsClaim: 'groups', adminGroups: [] };
  const issuer = { id: 'acme', name: 'Acme', issuer: provider.url, ...TEST_CLIENT, ...fields };
  server = await testApp({
    config: {
      publicUrl: 'http://hindsight.example',
      signIn: { github: null, google: null, issuers: [issuer] },
    },
  });
  server.deps.config.git.allowedPrivateHosts.push(new URL(provider.url).host);
  await server.signUp('root');
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

let ips = 0;
async function signIn(): Promise<string> {
  ips += 1;
  const remoteAddress = `10.80.${ips}.1`;
  const url = '/api/auth/social/acme';
  const started = await server.inject({ method: 'POST', url, payload: {}, remoteAddress });
  const callback = provider.approve(started.json().url);
  const [cookie] = started.cookies;
  const reply = await server.inject({
    url: callback.pathname + callback.search,
    cookies: { [cookie!.name]: cookie!.value },
    remoteAddress,
  });
  return reply.headers.location as string;
}

const HONEST = {
  claims: {},
  signWithUnpublishedKey: false,
  forgeIdToken: null,
  userInfo: { sub: 'google-1' },
  answerToken: null,
};

const encode = (text: string) => new TextEncoder().encode(text);

const ATTACKS: [string, Partial<FakeOAuthProvider['state']>][] = [
  ['an ID token of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['an ID token for another audience', { claims: { aud: 'another client' } }],
  [
    'an ID token for several audiences, by another party',
    { claims: { aud: [TEST_CLIENT.clientId, 'x'], azp: 'x' } },
  ],
  ['a replayed nonce', { claims: { nonce: 'of another sign-in' } }],
  ['an expired ID token', { claims: { exp: 1_000_000_000 } }],
  ['an ID token without subject', { claims: { sub: undefined } }],
  ['a subject that is no text', { claims: { sub: { $ne: null } } }],
  ['a subject of 10,000 characters', { claims: { sub: 'x'.repeat(10_000) } }],
  ['an email of 10,000 characters', { claims: { email: `${'x'.repeat(10_000)}@example.org` } }],
  ['5000 groups', { claims: { groups: Array.from({ length: 5000 }, (_, index) => `group ${index}`) } }],
  ['groups that are no names', { claims: { groups: [{ admin: true }] } }],
  ['a key that is not published', { signWithUnpublishedKey: true }],
  ['the algorithm none', { forgeIdToken: async (claims) => new UnsecuredJWT(claims).encode() }],
  [
    'HMAC with the client secret',
    {
      forgeIdToken: async (claims) =>
        await new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(encode(TEST_CLIENT.clientSecret.padEnd(32))),
    },
  ],
  ['an ID token that is none', { forgeIdToken: async () => 'a.b.c' }],
  ['a UserInfo reply about somebody else', { claims: { email: undefined }, userInfo: { sub: 'other' } }],
  ['a reply of a megabyte', { answerToken: (response) => void response.end('x'.repeat(2 ** 20)) }],
  ['a reply that is no JSON', { answerToken: (response) => void response.end('<html>') }],
  [
    'a redirect to another host',
    {
      answerToken: (response) =>
        void response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
    },
  ],
  ['a connection that is closed', { answerToken: (response) => void response.destroy() }],
];

test.each(ATTACKS)('%s is refused', async (_what, faults) => {
  const metadata = { userinfo_endpoint: `${provider.url}/userinfo` };
  Object.assign(provider.state, HONEST, { metadata }, faults);
  const to = await signIn();
  expect(to).toMatch(/^\/login\?social=(?!in|code)\w+$/);
  expect(await server.deps.db.selectFrom('identities').selectAll().execute()).toEqual([]);
});

test('the honest issuer signs in', async () => {
  Object.assign(provider.state, HONEST);
  expect(await signIn()).toBe('/login?social=in');
});

test('a provider that does not answer is given up on', async () => {
  provider.state.answerToken = () => {};
  const send = fetchThroughEgress(server.deps.egress, 100);
  await expect(send(`${provider.url}/token`, { method: 'GET', headers: {}, body: null })).rejects.toThrow();
});
