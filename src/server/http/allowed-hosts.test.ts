import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../testing.ts';
import { sendRaw, statusOf } from '../testing-raw-http.ts';

let server: TestApp;
let named: TestApp;

beforeAll(async () => {
  server = await testApp();
  named = await testApp({
    config: {
      publicUrl: 'https://hindsight.example:8443',
      allowedHosts: ['inner', '.corp.example', 'bücher.example'],
    },
  });
});
afterAll(async () => {
  await server.close();
  await named.close();
});

const ask = async (app: TestApp, host: string, path = '/api/auth/setup') =>
  await sendRaw(app.app, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

test.each([
  'localhost',
  'LOCALHOST',
  'localhost:3000',
  'localhost:',
  '127.0.0.1',
  '127.0.0.1:4711',
  '192.168.1.5',
  '[::1]',
  '[::1]:80',
  '[2001:db8::1]:3000',
])('the host %s is answered', async (host) => {
  expect(statusOf(await ask(server, host))).toBe(200);
});

test.each([
  'evil.example',
  'evil.example:4711',
  'localhost.evil.example',
  'evil-localhost',
  'xlocalhost',
  '127.0.0.1.nip.io',
  'localhost.',
  '127.0.0.1.',
  'a@localhost',
  'localhost@evil.example',
  'localhost:80@evil.example',
  'localhost:99999999',
  'localhost:x',
  'localhost/evil',
  'localhost,evil.example',
  'localhost evil.example',
  '[::1',
  '::1',
  '[fe80::1%25eth0]',
  '[evil.example]',
  '2130706433',
  '0x7f.1',
  '127.1',
  '0177.0.0.1',
  'xn--bcher-kva.example',
  'bücher.example',
  'hindsight.example',
  '',
  '*',
  'null',
])('the host %j is refused, and the setting is named', async (host) => {
  const reply = await ask(server, host);
  expect([400, 421]).toContain(statusOf(reply));
  if (/^[\w.:-]+$/.test(host) && !host.includes(':9') && host !== 'localhost:x') {
    expect(statusOf(reply)).toBe(421);
    expect(reply).toContain('ALLOWED_HOSTS');
  }
});

test.each([
  'hindsight.example',
  'HINDSIGHT.example:8443',
  'inner:3000',
  'corp.example',
  'a.b.corp.example',
  'xn--bcher-kva.example',
])('the host %s is answered where a setting names it', async (host) => {
  expect(statusOf(await ask(named, host))).toBe(200);
});

test.each(['evilcorp.example', 'corp.example.evil', 'x.hindsight.example', 'innerx', 'x.inner'])(
  'the host %s is refused although it resembles one that a setting names',
  async (host) => {
    expect(statusOf(await ask(named, host))).toBe(421);
  },
);

test('the host is checked for pages, files, MCP, documentation, redirects and unknown URLs', async () => {
  for (const path of [
    '/',
    '/login',
    '/mcp',
    '/api/docs/',
    '/api/auth/social/github/callback',
    '/assets/x.js',
    '/nothing',
  ]) {
    expect(statusOf(await ask(server, 'evil.example', path)), path).toBe(421);
  }
});

test('the host is checked for WebSockets', async () => {
  const user = await server.signUp();
  const bytes = `GET /ws/notifications?token=${user.accessToken} HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;
  expect(statusOf(await sendRaw(server.app, bytes))).toBe(421);
});

test('health checks are served under every host name and contain no data', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const reply = await ask(server, 'hindsight-7c9f.pod', path);
    expect(statusOf(reply)).toBe(200);
    expect(reply.split('\r\n\r\n')[1]).toContain('"ok":true');
  }
});

test('two Host headers, none, and an absolute request target are refused', async () => {
  const close = 'Connection: close\r\n\r\n';
  const twice = `GET /api/auth/setup HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n${close}`;
  expect(statusOf(await sendRaw(server.app, twice))).toBe(400);
  expect([400, 421]).toContain(
    statusOf(await sendRaw(server.app, `GET /api/auth/setup HTTP/1.0\r\n${close}`)),
  );
  expect(statusOf(await sendRaw(server.app, `GET /api/auth/setup HTTP/1.1\r\n${close}`))).toBe(400);
  const absolute = `GET http://evil.example/api/auth/setup HTTP/1.1\r\nHost: localhost\r\n${close}`;
  expect(statusOf(await sendRaw(server.app, absolute))).toBe(400);
});

test('a page with a rebound DNS name cannot create an account', async () => {
  const payload = JSON.stringify({
    username: 'mallory',
    email: 'm@evil.example',
    password: 'a quiet harbour at dawn',
  });
  const headers = {
    host: 'evil.example:4711',
    origin: 'http://evil.example:4711',
    'content-type': 'application/json',
  };
  const reply = await server.inject({ method: 'POST', url: '/api/auth/register', payload, headers });
  expect(reply.statusCode).toBe(421);
  expect(reply.json().error.code).toBe('misdirected');
});

test('X-Forwarded-Host is read only from a trusted proxy', async () => {
  const proxied = await testApp({ config: { trustProxy: ['127.0.0.1'], allowedHosts: ['app.example'] } });
  const inject = async (remoteAddress: string, host: string, forwarded: string) =>
    (
      await proxied.inject({
        url: '/api/auth/setup',
        remoteAddress,
        headers: { host, 'x-forwarded-host': forwarded },
      })
    ).statusCode;
  expect(await inject('127.0.0.1', 'inner', 'app.example')).toBe(200);
  expect(await inject('127.0.0.1', 'localhost', 'evil.example')).toBe(421);
  expect(await inject('10.0.0.9', 'evil.example', 'app.example')).toBe(421);
  await proxied.close();
});
