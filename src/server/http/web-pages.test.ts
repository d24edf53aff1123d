import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateFeatureSwitches } from '../identity/feature-switches.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;
let user: TestUser;
let web: string;

const NOTHING = { scripts: [], texts: [] };
const APP = {
  '/': NOTHING,
  '/login': { scripts: ['/assets/login-1.js'], texts: ['auth', 'ui'] },
  '/projects': NOTHING,
  '/projects/:id': NOTHING,
  '/projects/:id/files/*': NOTHING,
  '/debug': NOTHING,
  '/ide/:projectId?': NOTHING,
};
const TEXTS = {
  en: { ui: '/assets/ui-en.json', auth: '/assets/auth-en.json' },
  fr: { auth: '/assets/auth-fr.json' },
};
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), 'hindsight-web-'));
  await mkdir(join(web, 'assets'));
  await mkdir(join(web, 'site/en'), { recursive: true });
  await mkdir(join(web, 'site/fr'));
  const site = { '/': 'landing', '/about': 'about' };
  await writeFile(join(web, 'site/paths.json'), JSON.stringify({ app: APP, texts: TEXTS, site }));
  for (const [file, text] of [
    ['en/landing', 'welcome'],
    ['en/about', 'about us'],
    ['fr/about', 'sur nous'],
  ]) {
    await writeFile(
      join(web, `site/${file}.html`),
      `<!doctype html><html lang="en" data-theme="light" data-signed-in="no"><body>${text}</body></html>`,
    );
  }
  for (const language of ['en', 'fr']) {
    await writeFile(
      join(web, `site/${language}/app.html`),
      '<!doctype html><html lang="en" data-theme="light" data-sidebar="open"><head></head><body>app</body></html>',
    );
  }
  await writeFile(join(web, 'assets/main-abc123.js'), 'export {};');
  await writeFile(join(web, 'assets/main-abc123.js.br'), brotliCompressSync('export {};'));
  await writeFile(join(web, 'mark.svg'), '<svg/>');
  server = await testApp({
    web,
    config: { corsOrigins: ['https://friend.example'], allowedHosts: ['hindsight.example'] },
  });
  user = await server.signUp();
});
afterAll(async () => {
  await server.close();
  await rm(web, { recursive: true });
});

test.each([
  ['/login', 200, 'app'],
  ['/Login/', 200, 'app'],
  ['/projects/x/files/src/a.ts?ref=main', 200, 'app'],
  ['/projects/x/files/', 200, 'app'],
  ['/projects/x/files', 200, 'app'],
  ['/projects/x/filesystem', 404, 'app'],
  ['/ide', 200, 'app'],
  ['/', 200, 'welcome'],
  ['/about/?utm=x', 200, 'about us'],
  ['/no/such/page', 404, 'app'],
  ['/projects/x/y', 404, 'app'],
  ['/constructor', 404, 'app'],
])('%s is a page for who asks for one: %i', async (url, status, text) => {
  const reply = await server.inject({ url, headers: HTML });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  expect(reply.body).toContain(`<body>${text}</body>`);
  expect(reply.headers['cache-control']).toBe('no-cache');
  expect(reply.headers.vary).toContain('Accept');
});

test("documents contain the reader's theme and language, and nothing else from cookies", async () => {
  const page = async (cookies: Record<string, string>) =>
    (await server.inject({ url: '/login', headers: HTML, cookies })).body;
  expect(await page({})).toContain('<html lang="en" data-theme="light" data-sidebar="open">');
  expect(await page({ theme: 'dark', language: 'fr', sidebar: 'closed' })).toContain(
    '<html lang="fr" data-theme="dark" data-sidebar="closed">',
  );
  expect(await page({ theme: '"><script>', language: 'xx' })).toContain(
    '<html lang="en" data-theme="light" data-sidebar="open">',
  );
});

test('a document starts the loading of its scripts and texts, in the language of the reader', async () => {
  const preloads = async (url: string, cookies: Record<string, string> = {}) => {
    const { body } = await server.inject({ url, headers: HTML, cookies });
    return [
      ...body.matchAll(/<link rel="(?:modulepreload|preload" as="fetch)" crossorigin href="([^"]+)">/g),
    ].map(([, href]) => href);
  };
  expect(await preloads('/login')).toEqual([
    '/assets/login-1.js',
    '/assets/auth-en.json',
    '/assets/ui-en.json',
  ]);
  expect(await preloads('/login', { language: 'fr' })).toEqual([
    '/assets/login-1.js',
    '/assets/auth-fr.json',
  ]);
  expect(await preloads('/no/such/page')).toEqual([]);
});

test('without a landing page visitors get the sign-in page', async () => {
  await updateFeatureSwitches(server.deps, { landing: false });
  const visitor = await server.inject({ url: '/', headers: HTML });
  expect([visitor.statusCode, visitor.headers.location]).toEqual([302, '/login']);
  expect((await server.inject({ url: '/about', headers: HTML })).statusCode).toBe(200);
  await updateFeatureSwitches(server.deps, { landing: true });
  expect((await server.inject({ url: '/', headers: HTML })).statusCode).toBe(200);
});

test('files are sent as the build has compressed them', async () => {
  const url = '/assets/main-abc123.js';
  const packed = await server.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
  expect(packed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
  });
  expect(packed.headers.vary?.toLowerCase()).toContain('accept-encoding');
  expect(packed.headers['cache-control']).toContain('immutable');
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe('export {};');
  expect((await server.inject({ url })).body).toBe('export {};');
});

test('the root page is the application for signed-in users, and prerendered pages show that state', async () => {
  const cookies = { signed_in: '1' };
  expect((await server.inject({ url: '/', headers: HTML, cookies })).body).toContain('app');
  expect((await server.inject({ url: '/about', headers: HTML, cookies })).body).toContain(
    'data-signed-in="yes"><body>about us',
  );
});

test.each([
  [{ 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.8' }, {}, 'fr'],
  [{ 'accept-language': 'it, en;q=0.5, fr;q=0.7' }, {}, 'fr'],
  [{ 'accept-language': 'fr;q=0, ;;, *' }, {}, 'en'],
  [{ 'accept-language': 'fr' }, { language: 'en' }, 'en'],
  [{}, { language: 'fr' }, 'fr'],
])('with %o and cookies %o the page is in %s', async (headers, cookies, language) => {
  const reply = await server.inject({ url: '/about', headers: { ...HTML, ...headers }, cookies });
  expect(reply.body).toContain(`<html lang="${language}"`);
  expect(reply.body).toContain(language === 'fr' ? 'sur nous' : 'about us');
});

test('links in prerendered pages set theme and language without scripts', async () => {
  const reply = await server.inject({ url: '/about?theme=dark&language=fr', headers: HTML });
  expect([reply.statusCode, reply.headers.location]).toEqual([303, '/about']);
  expect(reply.headers['set-cookie']).toEqual([
    'theme=dark; Max-Age=31536000; Path=/; SameSite=Lax',
    'language=fr; Max-Age=31536000; Path=/; SameSite=Lax',
  ]);
  const odd = await server.inject({ url: '/about?theme=dark;Path=x&language=__proto__', headers: HTML });
  expect([odd.statusCode, odd.headers['set-cookie']]).toEqual([200, undefined]);
});

test('prerendered pages are not served as files', async () => {
  for (const url of ['/site/en/about.html', '/site/paths.json', '/site/../site/en/about.html']) {
    expect((await server.inject({ url, headers: HTML })).statusCode, url).toBe(404);
  }
});

test('hashed files are cached forever, others for an hour, and missing ones are not pages', async () => {
  const asset = await server.inject({ url: '/assets/main-abc123.js' });
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await server.inject({ url: '/mark.svg' })).headers['cache-control']).toBe('public, max-age=3600');
  expect((await server.inject({ url: '/assets/gone.js' })).statusCode).toBe(404);
  for (const url of [
    '/assets/../../../etc/passwd',
    '/assets/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
  ]) {
    expect((await server.inject({ url })).body).not.toContain('root:');
  }
});

test.each([
  ['GET', '/auth/me', 401],
  ['GET', '/projects', 401],
  ['GET', '/projects/x?y=1', 401],
  ['POST', '/projects/x/refresh', 401],
  ['POST', '/history/feedback', 401],
  ['POST', '/auth/login', 415],
] as const)('%s %s without the prefix is the call of the specification', async (method, url, status) => {
  const reply = await server.inject({
    method,
    url,
    payload: method === 'POST' ? 'x' : undefined,
    headers: { accept: '*/*', ...(method === 'POST' && { 'content-type': 'text/plain' }) },
  });
  expect(reply.statusCode).toBe(status);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers.vary).toContain('Accept');
});

test('routes beyond the specification are served with the prefix only', async () => {
  const reply = await server.inject({ url: '/auth/setup', headers: { accept: 'application/json' } });
  expect(reply.statusCode).toBe(404);
  expect((await server.inject({ url: '/projects', headers: { accept: '*/*' } }, user)).json()).toEqual([]);
});

test('an unknown URL of the API is an error in JSON, also for a browser', async () => {
  const reply = await server.inject({ url: '/api/nothing', headers: HTML });
  expect(reply.statusCode).toBe(404);
  expect(reply.json().error.code).toBe('not_found');
});

test('pages and API replies have security headers', async () => {
  const page = (await server.inject({ url: '/', headers: { ...HTML, host: 'hindsight.example:3000' } }))
    .headers;
  expect(page['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
      "font-src 'self' data:; connect-src 'self' ws://hindsight.example:3000 wss://hindsight.example:3000; " +
      "worker-src 'self' blob:; manifest-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'",
  );
  expect(page).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
  const call = (await server.inject({ url: '/api/projects' })).headers;
  expect(call).toMatchObject({
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  });
  const odd = await server.inject({ url: '/', headers: { ...HTML, host: 'x; script-src *' } });
  expect(odd.headers['content-security-policy'] ?? '').not.toContain('script-src *');
});

test('only configured origins may call from other sites', async () => {
  const ask = async (origin: string) =>
    await server.inject({ method: 'OPTIONS', url: '/api/projects', headers: { origin } });
  const friend = await ask('https://friend.example');
  expect(friend.statusCode).toBe(204);
  expect(friend.headers).toMatchObject({
    'access-control-allow-origin': 'https://friend.example',
    'access-control-max-age': '600',
    vary: 'Accept, Origin',
  });
  const evil = await ask('https://evil.example');
  expect(evil.statusCode).toBe(404);
  expect(evil.headers).not.toHaveProperty('access-control-allow-origin');
});

test('health checks report liveness and readiness', async () => {
  expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  expect((await server.inject({ url: '/readyz' })).statusCode).toBe(200);
});
