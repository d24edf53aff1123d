import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debugRoutes } from '#contract/debug.ts';
import { keyRoutes } from '#contract/keys.ts';
import { DEFAULT_RATE_LIMITS } from '#contract/rate-limits.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { sendRaw, statusOf } from '../testing-raw-http.ts';
import { createLogger } from './log.ts';

/** However a URL is written: the limits and headers of the route that it matches, or 404. */

let server: TestApp;
let user: TestUser;
let log = '';
let web: string;

const CALLS = 60;

beforeAll(async () => {
  const write = (line: string) => {
    log += line;
  };
  const limits = {
    ...DEFAULT_RATE_LIMITS,
    callsPerIp: { max: CALLS, seconds: 60 },
    callsPerUser: { max: 50, seconds: 60 },
  };
  web = await mkdtemp(join(tmpdir(), 'hindsight-web-'));
  await mkdir(join(web, 'site/en'), { recursive: true });
  await writeFile(
    join(web, 'site/paths.json'),
    JSON.stringify({ app: { '/login': { scripts: [], texts: [] } }, texts: {}, site: {} }),
  );
  await writeFile(join(web, 'site/en/app.html'), '<!doctype html><html><head></head><body>app</body></html>');
  server = await testApp({
    web,
    log: createLogger({ level: 'error' }, { write }),
    config: { publicInstance: true, limits },
  });
  user = await server.signUp();
});
afterAll(async () => {
  await server.close();
  await rm(web, { recursive: true });
});

const API_HEADERS = { 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'; sandbox" };

/** Sends the path byte for byte. */
const get = async (path: string) =>
  await sendRaw(
    server.app,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
  );

/** Spellings of `/api/payments/plans`, which answers everybody. */
const SPELLINGS = [
  '/%61pi/payments/plans',
  '/ap%69/%70ayments/plans',
  '/api/payments/%70lans?x=1',
  '//api/payments/plans',
  '/api//payments/plans',
  '/API/payments/plans',
  '/api./payments/plans',
  '/./api/payments/plans',
  '/x/../api/payments/plans',
  '/api/../api/payments/plans',
  '/%2561pi/payments/plans',
  '/api%2Fpayments/plans',
  '/api%5cpayments/plans',
  '/api;x=1/payments/plans',
  '/api/payments/plans;x=1',
  '/api/payments/plans/',
  '/api/payments/plans%00',
  '/api/payments/plans%20',
  '/payments/plans',
];

test.each(SPELLINGS)('%s is the same route with the same headers, or not found', async (url) => {
  server.advance(61);
  const reply = await get(url);
  expect([200, 404]).toContain(statusOf(reply));
  if (statusOf(reply) === 200) {
    for (const [name, value] of Object.entries(API_HEADERS)) expect(reply).toContain(`${name}: ${value}\r\n`);
  } else expect(reply).not.toContain('trial_days');
});

test.each(['/%61pi/auth/me', '/api/auth/%6de', '/api/auth/me'])(
  'the profile at %s is kept by no cache',
  async (url) => {
    server.advance(61);
    const { statusCode, headers } = await server.inject({ url }, user);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject(API_HEADERS);
  },
);

/** Every spelling counts, also those of routes that do not exist. */
test.each([...SPELLINGS, '/api/nothing', '/nothing', '/mcp', '/auth/login'])(
  'calls to %s count by IP like any other',
  async (url) => {
    server.advance(61);
    const statuses = [];
    for (let round = 0; round <= CALLS; round++) statuses.push(statusOf(await get(url)));
    expect(statuses.indexOf(429)).toBe(CALLS);
  },
);

test('other methods of a URL without a route are counted too', async () => {
  server.advance(61);
  const request = { method: 'POST', url: '/nothing', remoteAddress: '10.77.0.2' } as const;
  const statuses = [];
  for (let round = 0; round <= CALLS; round++) statuses.push((await server.inject(request)).statusCode);
  expect(statuses.indexOf(429)).toBe(CALLS);
});

test('pages, files and health checks are not counted', async () => {
  server.advance(61);
  for (const url of ['/healthz', '/login']) {
    const statuses = new Set<number>();
    for (let round = 0; round < 2 * CALLS; round++) {
      const reply = await server.inject({
        url,
        remoteAddress: '10.77.0.3',
        headers: { accept: 'text/html' },
      });
      statuses.add(reply.statusCode);
    }
    expect([...statuses]).not.toContain(429);
  }
});

test('an IPv6 /64 is counted as one client', async () => {
  server.advance(61);
  const statuses = [];
  for (let round = 0; round <= CALLS; round++) {
    const remoteAddress = `2001:db8:0:7::${(round + 1).toString(16)}`;
    statuses.push((await server.inject({ url: '/%61pi/payments/plans', remoteAddress })).statusCode);
  }
  expect(statuses.indexOf(429)).toBe(CALLS);
});

test('a WebSocket handshake is counted as a call', async () => {
  server.advance(61);
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
  const statuses = [];
  for (let round = 0; round <= CALLS; round++) {
    statuses.push(statusOf(await sendRaw(server.app, upgrade('/ws/notifications?token=x'))));
  }
  expect(statuses.slice(0, CALLS)).toEqual(Array(CALLS).fill(401));
  expect(statuses[CALLS]).toBe(429);
});

test('all keys and sessions of one user are counted together, over the API and MCP', async () => {
  server.advance(61);
  const { max } = server.deps.config.limits.callsPerUser;
  const caller = await server.signUp();
  const create = async (name: string) =>
    (await server.call(keyRoutes.create, { body: { name, scope: 'read' } }, caller)).body.key;
  const bearers = [caller.accessToken, await create('one'), await create('two')];
  server.advance(61);
  const statuses = [];
  for (let round = 0; round <= max; round++) {
    // An IP of its own each time, so that only the user counts.
    const remoteAddress = `10.78.${round >> 8}.${round & 255}`;
    const headers = {
      authorization: `Bearer ${bearers[round % 3]}`,
      accept: 'application/json, text/event-stream',
    };
    const url = ['/api/projects', '/%61pi/projects', '/mcp'][(round >> 2) % 3]!;
    const request = url === '/mcp' ? { method: 'POST' as const, payload: PING } : {};
    statuses.push((await server.inject({ url, remoteAddress, headers, ...request })).statusCode);
  }
  expect(statuses.indexOf(429)).toBe(max);
});

test('an MCP tool that answers questions is counted like the API, single and in a batch', async () => {
  server.advance(61);
  const caller = await server.signUp();
  const { max } = server.deps.config.limits.answersPerUser;
  const headers = { accept: 'application/json, text/event-stream' };
  const params = { name: 'investigate_error', arguments: { error: 'boom', project: 'missing' } };
  const question = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const ask = async (payload: object) =>
    (await server.inject({ method: 'POST', url: '/mcp', payload, headers }, caller)).statusCode;
  const statuses = [];
  for (let round = 0; round <= max; round++) statuses.push(await ask(question));
  expect(statuses.indexOf(429)).toBe(max);
  server.advance(61);
  expect(await ask(Array(max).fill(question))).not.toBe(429);
  expect(await ask([question])).toBe(429);
  const debug = await server.call(
    debugRoutes.debug,
    { body: { error_message: 'boom', project_id: 'missing' } },
    caller,
  );
  expect(debug.status).toBe(429);
  expect(await ask(Array(21).fill(question))).toBe(400);
});

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

const TARGETS = [
  '//',
  '///',
  '/\\',
  '\\',
  '?',
  '*',
  '/?',
  '/#',
  'http://[',
  'http://[::1',
  'http://localhost/',
  'http://localhost/healthz',
  'https://evil.example/api/auth/me',
  'ftp://x',
  '//evil.example/%',
  '/%',
  '/%ff',
  '/%00',
  '/ws/notifications%',
  '//ws/notifications',
  '/ws/../ws/notifications',
  'ws://localhost/ws/notifications',
  '/:',
  '/@',
  '//@:',
  `/${'a'.repeat(5000)}`,
  `/?${'a&'.repeat(2000)}`,
  `/${'%2e%2e/'.repeat(500)}`,
];

test.each(
  TARGETS.flatMap(
    (target) =>
      [
        [target.slice(0, 40), target, false],
        [target.slice(0, 40), target, true],
      ] as const,
  ),
)('the request target %s is no failure of the server', async (_name, target, upgrades) => {
  server.advance(61);
  log = '';
  const extra = upgrades
    ? 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
    : 'Connection: close\r\n';
  const reply = await sendRaw(
    server.app,
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n${extra}\r\n`,
  );
  expect([200, 400, 404]).toContain(statusOf(reply));
  if (statusOf(reply) === 503) expect(reply).toContain('has not been built');
  expect(log).toBe('');
});

test('CONNECT, unknown methods and other upgrades are refused', async () => {
  server.advance(61);
  const close = 'Host: localhost\r\nConnection: close\r\n\r\n';
  expect([0, 400, 404]).toContain(
    statusOf(await sendRaw(server.app, `CONNECT localhost:443 HTTP/1.1\r\n${close}`)),
  );
  expect([0, 400, 404, 405]).toContain(
    statusOf(await sendRaw(server.app, `BREW /api/auth/me HTTP/1.1\r\n${close}`)),
  );
  const upgrade =
    'GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n';
  expect([400, 401, 404]).toContain(statusOf(await sendRaw(server.app, upgrade)));
});
