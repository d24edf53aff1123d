import { createHmac, generateKeyPairSync } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authRoutes } from '#contract/auth.ts';
import { deriveKey } from '#secrets/keys.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { signToken, TOKEN_LIFETIME_S, verifyToken } from './signed-tokens.ts';

let server: TestApp;
let user: TestUser;

beforeAll(async () => {
  server = await testApp();
  user = await server.signUp();
});
afterAll(() => server.close());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const parts = () => user.accessToken.split('.') as [string, string, string];
const claims = () => JSON.parse(Buffer.from(parts()[1], 'base64url').toString());
const ownKey = () => deriveKey(server.deps.keys, 'signed bearer');

/** Signed like ours, with some claims, header fields or the key replaced. */
async function forge(changes: object, header: object = {}, key: Uint8Array = ownKey()): Promise<string> {
  return await new SignJWT({ ...claims(), ...changes })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(key);
}

/** The same by hand, for what the library refuses to sign. */
function forgeByHand(header: object, sign: (text: string) => string, changes: object = {}): string {
  const text = `${encode(header)}.${encode({ ...claims(), ...changes })}`;
  return `${text}.${sign(text)}`;
}

const hmac = (hash: string, key: string | Buffer) => (text: string) =>
  createHmac(hash, key).update(text).digest('base64url');

const HOSTILE: Record<string, () => string | undefined | Promise<string>> = {
  none: () => undefined,
  'Bearer alone': () => 'Bearer',
  Basic: () => 'Basic x',
  'alg none': () => `Bearer ${forgeByHand({ alg: 'none' }, () => '')}`,
  'alg None': () => `Bearer ${forgeByHand({ alg: 'None' }, () => 'AAAA')}`,
  'an empty key': () => `Bearer ${forgeByHand({ alg: 'HS256' }, hmac('sha256', ''))}`,
  'RS256 with a public key as secret': () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
    return `Bearer ${forgeByHand({ alg: 'RS256' }, hmac('sha256', pem))}`;
  },
  'HS512 with our own key': () => `Bearer ${forgeByHand({ alg: 'HS512' }, hmac('sha512', ownKey()))}`,
  'no signature': () => `Bearer ${parts()[0]}.${parts()[1]}.`,
  "another's signature": async () => {
    const other = (await forge({ sub: 'somebody else' })).split('.');
    return `Bearer ${parts()[0]}.${parts()[1]}.${other[2]}`;
  },
  'another subject': async () => `Bearer ${await forge({ sub: 'somebody else' })}`,
  expired: async () => `Bearer ${await forge({ iat: claims().iat - 4000, exp: claims().exp - 4000 })}`,
  'exp as text': () =>
    `Bearer ${forgeByHand({ alg: 'HS256' }, hmac('sha256', ownKey()), { exp: String(claims().exp) })}`,
  'exp for ever': async () => `Bearer ${await forge({ exp: 1e20 })}`,
  'exp missing': async () => `Bearer ${await forge({ exp: undefined })}`,
  'not yet valid': async () => `Bearer ${await forge({ nbf: claims().iat + 3600 })}`,
  'wrong audience': async () => `Bearer ${await forge({ aud: 'another' })}`,
  'wrong issuer': async () => `Bearer ${await forge({ iss: 'another' })}`,
  'another type': async () => `Bearer ${await forge({ typ: 'ticket' })}`,
  'a refresh token': () => `Bearer ${user.refreshToken}`,
  'a ticket': async () => `Bearer ${(await server.call(authRoutes.socketTicket, {}, user)).body.ticket}`,
  'kid of an empty file': () =>
    `Bearer ${forgeByHand({ alg: 'HS256', kid: '../../dev/null' }, hmac('sha256', ''))}`,
  '100 KB': () => `Bearer ${'a'.repeat(100_000)}`,
};

test.each(Object.keys(HOSTILE))('%s: refused with the same reply', async (name) => {
  const authorization = await HOSTILE[name]!();
  const reply = await server.inject({
    url: '/api/auth/me',
    headers: authorization === undefined ? {} : { authorization },
  });
  expect(reply.statusCode).toBe(401);
  const { request_id: _, ...error } = reply.json().error;
  expect(error).toEqual({
    code: 'unauthenticated',
    message: 'Sign in to continue.',
    message_key: 'unauthenticated',
    params: {},
  });
});

test('the genuine token is accepted, and so is one signed alike', async () => {
  for (const bearer of [user.accessToken, await forge({})]) {
    const reply = await server.inject({
      url: '/api/auth/me',
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(reply.statusCode).toBe(200);
  }
});

test('two authorization headers are refused, even when one is valid', async () => {
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const status = await new Promise<number | undefined>((settle, fail) => {
    const outgoing = httpRequest(
      {
        port,
        path: '/api/auth/me',
        headers: ['host', `127.0.0.1:${port}`].concat([
          'authorization',
          `Bearer ${user.accessToken}`,
          'authorization',
          'Bearer x',
        ]) as never,
      },
      (reply) => settle(reply.resume().statusCode),
    );
    outgoing.on('error', fail);
    outgoing.end();
  });
  expect(status).toBe(401);
});

test('the token of a deleted user is refused', async () => {
  const gone = await server.signUp();
  await server.deps.db.deleteFrom('users').where('id', '=', gone.id).execute();
  expect((await server.inject({ url: '/api/auth/me' }, gone)).statusCode).toBe(401);
});

test('an older secret key still verifies tokens, a removed one does not', async () => {
  const old = server.deps.keys[0]!;
  server.deps.keys.unshift('a newer secret key that only tests know');
  expect((await server.inject({ url: '/api/auth/me' }, user)).statusCode).toBe(200);
  server.deps.keys.pop();
  expect((await server.inject({ url: '/api/auth/me' }, user)).statusCode).toBe(401);
  server.deps.keys.splice(0, 1, old);
});

test('a token that was accepted is refused as another type, without its key and after its time', async () => {
  const keys = ['the key that signs tokens'];
  const now = new Date('2026-01-01T00:00:00Z');
  const token = await signToken(
    { keys, type: 'access', now },
    { userId: 'u', sessionId: 's', generation: 1 },
  );
  const verify = (options: Partial<Parameters<typeof verifyToken>[0]>) =>
    verifyToken({ keys, type: 'access', now, ...options }, token);
  const claims = await verify({});
  expect(claims).toMatchObject({ userId: 'u', sessionId: 's', generation: 1 });
  expect(await verify({})).toEqual(claims);
  expect(await verify({ keys: ['a newer key', ...keys] })).toEqual(claims);
  expect(await verify({ type: 'ticket' })).toBeNull();
  expect(await verify({ keys: ['a newer key'] })).toBeNull();
  const afterSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  expect(await verify({ now: afterSeconds(TOKEN_LIFETIME_S.access + 29) })).toEqual(claims);
  expect(await verify({ now: afterSeconds(TOKEN_LIFETIME_S.access + 30) })).toBeNull();
});
