import { type AddressInfo, connect as dial, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { route } from '#contract/route.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { sendError, toAppError } from './error-handler.ts';
import { registerJsonParser, serve } from './serve.ts';

let server: TestApp;
let user: TestUser;

beforeAll(async () => {
  server = await testApp({ requestTimeoutMs: 400 });
  user = await server.signUp();
});
afterAll(() => server.close());

/** Sends a body as it stands to the call that registers people. */
const post = async (payload: string | Buffer, headers: Record<string, string> = {}) =>
  await server.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
    remoteAddress: '10.70.0.1',
  });

const good = { username: 'hostile', email: 'hostile@example.org', password: 'a quiet harbour at dawn' };
const withFields = (fields: object) => JSON.stringify({ ...good, ...fields });

const BODIES: [string, string, number][] = [
  ['nothing', '', 422],
  ['null', 'null', 422],
  ['an array', '[]', 422],
  ['a string', '"x"', 422],
  ['truncated JSON', '{"username":"a', 400],
  ['__proto__', '{"__proto__":{"role":"admin"}}', 400],
  ['constructor.prototype', '{"constructor":{"prototype":{"role":"admin"}}}', 400],
  ['duplicate keys of which the last is wrong', `{"username":"fine","username":1}`, 422],
  ['a 30,000-deep array', `{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 422],
  ['2 MB', withFields({ padding: 'x'.repeat(2_000_000) }), 413],
  ['a number for a string', withFields({ username: 5 }), 422],
  ['infinity', '{"username":1e999}', 422],
  ['an array for a string', withFields({ email: ['hostile@example.org'] }), 422],
  ['U+0000', withFields({ password: 'a quiet harbour\u0000 at dawn' }), 422],
  [
    'half of a surrogate pair',
    `{"username":"hostile","email":"a@example.org","password":"harbour at \\ud800 dawn"}`,
    422,
  ],
  ['an empty username', withFields({ username: '' }), 422],
  ['a username of one character', withFields({ username: 'x' }), 422],
  ['a username of 10,000 characters', withFields({ username: 'x'.repeat(10_000) }), 422],
  ['a username that turns the text around', withFields({ username: 'abc\u202Edef' }), 422],
  ['a username with a script', withFields({ username: '<script>' }), 422],
  ['a username with a space at its end', withFields({ username: 'hostile ' }), 422],
  ['a username with a combining accent', withFields({ username: 'e\u0301mile' }), 422],
];

test.each(BODIES)('%s is refused', async (_name, body, status) => {
  const reply = await post(body);
  expect(reply.statusCode).toBe(status);
  expect(reply.json()).toMatchObject({ error: { code: expect.any(String) }, detail: expect.any(String) });
});

test.each([
  ['text/plain', 415],
  ['application/json;', 422],
  ['application/json\t;x', 422],
  ['application/json,text/plain', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/x-www-form-urlencoded', 415],
])('the content type %j does not slip past the schema', async (type, status) => {
  const reply = await post('{"username":1}', { 'content-type': type });
  expect([400, 415, 422]).toContain(reply.statusCode);
  expect(reply.statusCode).toBe(status);
});

test('a compressed body is not decompressed', async () => {
  const reply = await post(gzipSync(Buffer.alloc(1_000_000, 32)), { 'content-encoding': 'gzip' });
  expect([400, 415]).toContain(reply.statusCode);
});

test('five thousand unknown keys are dropped', async () => {
  const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]));
  expect((await post(withFields(keys))).statusCode).toBe(201);
});

test('an invalid field is reported with its error', async () => {
  const reply = await post(withFields({ username: 'x', email: 'nowhere' }));
  expect(reply.json().error).toMatchObject({
    code: 'invalid_input',
    message: 'Validation error: Please check your input.',
    fields: { username: 'Use 3 to 32 letters, digits, _ or -', email: 'Enter an email address' },
  });
});

test.each(['-1', '1e9', 'NaN', '9223372036854775808', '1.5', '', ' 1', '0x10'])(
  'the page size %j is refused',
  async (limit) => {
    const reply = await server.inject({ url: '/api/debug/sessions', query: { limit } }, user);
    expect(reply.statusCode).toBe(422);
  },
);

test.each(['/api/%', '/api/auth/%ff', '/%c0%ae'])(
  'the address %s is no failure of the server',
  async (url) => {
    const reply = await server.inject({ url, headers: { accept: 'application/json' } });
    expect([400, 404]).toContain(reply.statusCode);
    expect(reply.json().error.code).toMatch(/bad_request|not_found/);
  },
);

test('U+0000 in a query is refused', async () => {
  const url = `/api/search?project_id=x&q=%00`;
  expect((await server.inject({ url }, user)).statusCode).toBe(422);
});

test('unauthenticated calls are refused before the body is read', async () => {
  const reply = await server.inject({
    method: 'POST',
    url: '/api/projects',
    payload: 'x'.repeat(2_000_000),
    headers: { 'content-type': 'text/plain' },
  });
  expect(reply.statusCode).toBe(401);
});

/** Creates an app with routes that are not in the contract. */
async function smallApp() {
  const app = fastify();
  app.decorateRequest('caller', null);
  app.decorate('guards', {
    authenticate: async () => ({ userId: 'u', sessionId: 's', role: 'user' }),
    requireFeature: async () => {},
    requireSameOrigin: () => {},
    consumeRateLimits: async () => {},
  });
  app.setErrorHandler(sendError);
  registerJsonParser(app);
  const at = (path: string) => ({ path, access: 'visitor', summary: '' }) as const;
  const reply = z.object({ shown: z.string() });

  serve(app, route({ ...at('/strip'), method: 'GET', reply }), async () => ({ shown: 'yes', hidden: 'no' }));
  serve(app, route({ ...at('/broken'), method: 'GET', reply }), async () => ({ shown: 1 }) as never);
  serve(
    app,
    route({ ...at('/raw'), method: 'POST', kind: 'raw', body: z.instanceof(Buffer), reply }),
    async ({ body }) => ({
      shown: body.toString('hex'),
    }),
  );
  serve(app, route({ ...at('/stream'), method: 'GET', kind: 'stream', reply }), async (call) => {
    call.reply.header('content-type', 'text/event-stream');
    return Readable.from(['data: 1\n\n', 'data: 2\n\n']);
  });
  serve(app, route({ path: '/admin', summary: '', method: 'GET', access: 'admin', reply }), async () => ({
    shown: 'x',
  }));
  serve(
    app,
    route({ ...at('/fail/:code'), method: 'GET', params: z.object({ code: z.string() }), reply }),
    async ({ params }) => {
      throw Object.assign(new Error('secret words'), { code: params.code });
    },
  );
  return app;
}

test('a reply contains the fields of the contract only', async () => {
  const app = await smallApp();
  expect((await app.inject('/api/strip')).json()).toEqual({ shown: 'yes' });
  const broken = await app.inject('/api/broken');
  expect([broken.statusCode, broken.json().error.code]).toEqual([500, 'internal']);
});

test('raw bodies are received as bytes, streams are sent unchanged', async () => {
  const app = await smallApp();
  const raw = await app.inject({ method: 'POST', url: '/api/raw', payload: Buffer.from([0, 255]) });
  expect(raw.json()).toEqual({ shown: '00ff' });
  const stream = await app.inject('/api/stream');
  expect(stream.headers['content-type']).toBe('text/event-stream');
  expect(stream.body).toBe('data: 1\n\ndata: 2\n\n');
});

test('admin routes are not found for other users', async () => {
  const app = await smallApp();
  expect((await app.inject('/api/admin')).statusCode).toBe(404);
});

test.each([
  ['ENOSPC', 507],
  ['53100', 507],
  ['XX000', 500],
])('the system error %s becomes %i without its message', async (code, status) => {
  const app = await smallApp();
  const reply = await app.inject(`/api/fail/${code}`);
  expect(reply.statusCode).toBe(status);
  expect(reply.body).not.toContain('secret words');
  expect(reply.json().error.request_id).toBeTruthy();
});

test('an unreachable database is reported as unavailable', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  expect(toAppError(refused)).toMatchObject({ code: 'unavailable', retryAfter: 2 });
});

test('an AppError is not converted', () => {
  const error = new AppError('read_only', 'role_too_low');
  expect(toAppError(error)).toBe(error);
});

/** Opens a TCP connection to the server. */
async function openConnection(): Promise<Socket> {
  if (!server.app.server.listening) await server.app.listen({ host: '127.0.0.1', port: 0 });
  return dial((server.app.server.address() as AddressInfo).port, '127.0.0.1');
}

/**
 * Reads until the connection closes. A reset may follow the reply of a request that was refused unread, on which
 * `for await` would discard the reply.
 */
async function readReply(stream: Socket): Promise<string> {
  let text = '';
  stream.on('error', () => {}).on('data', (chunk) => (text += chunk));
  await new Promise((closed) => stream.once('close', closed));
  return text;
}

test.each([
  [
    'a length beside chunks',
    'POST /api/auth/register HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    /^HTTP\/1.1 400/,
  ],
  [
    'a header of 17 KB',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`,
    /^HTTP\/1.1 431/,
  ],
])('%s is refused by the HTTP parser', async (_name, bytes, expected) => {
  const stream = await openConnection();
  stream.write(bytes);
  expect(await readReply(stream)).toMatch(expected);
});

test('a request with a slow body times out', async () => {
  const stream = await openConnection();
  const length = 1000;
  const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
  stream.write(`POST /api/auth/register HTTP/1.1\r\n${head}\r\n\r\n`);
  let sent = 0;
  const drip = setInterval(() => {
    stream.write(' ');
    sent += 1;
  }, 20);
  stream.once('data', () => clearInterval(drip));
  const text = await readReply(stream);
  clearInterval(drip);
  expect(text).toMatch(/^HTTP\/1.1 408/);
  expect(sent).toBeLessThan(length);
});
