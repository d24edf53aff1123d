import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Route } from '#contract/route.ts';
import { type TestApp, testApp } from '../testing.ts';
import { openApi } from './openapi.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

const ROUTES = Object.values(api).flatMap((feature) => Object.values<Route>(feature));
const NAMES = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

test('the contract has routes', () => {
  expect(ROUTES.length).toBeGreaterThan(20);
});

test.each(NAMES)('%s is served', (_name, route) => {
  expect(server.app.hasRoute({ method: route.method, url: `/api${route.path}` })).toBe(true);
});

test('the OpenAPI description lists every route, and the page shows it', async () => {
  const { paths } = openApi() as { paths: Record<string, Record<string, unknown>> };
  for (const route of ROUTES) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}').replace('*', '{*}')}`;
    expect(paths[path], path).toHaveProperty(route.method.toLowerCase());
  }
  const document = await server.inject({ url: '/api/docs/json' });
  expect(Object.keys(document.json().paths)).toEqual(Object.keys(paths));
  const page = await server.inject({ url: '/api/docs/' });
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-security-policy']).toMatch(/script-src 'self'/);
  expect(page.body).not.toMatch(/<script>[^<]/);
});

test('the OpenAPI description shows the policy of a route', () => {
  const { paths } = openApi() as { paths: Record<string, Record<string, Record<string, unknown>>> };
  expect(paths['/api/auth/login']?.post).toMatchObject({
    security: [],
    'x-api-key-scope': 'closed',
    'x-same-origin': true,
    'x-rate-limits': [
      { per: 'ip', max: 30, seconds: 60 },
      { per: 'ip', max: 300, seconds: 3600 },
    ],
  });
  expect(paths['/api/projects/{id}']?.get).toMatchObject({
    security: [{ bearer: [] }, { apiKey: ['read'] }],
    'x-project-from': 'path',
  });
  expect(paths['/api/keys']?.get).toMatchObject({ security: [{ bearer: [] }] });
});

/** Clients of the specification sign out on these digits and refresh on this word, wherever they stand. */
test('no text of an error holds the digits of a sign-out or the word that makes clients refresh', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^(?:web|locales)\//.test(name),
  );
  let texts = 0;
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    for (const [, code = '', text = ''] of source.matchAll(
      /new AppError\(\s*'(\w+)',\s*(['"`][\s\S]*?['"`])\s*[,)]/g,
    )) {
      texts += 1;
      expect(text, file).not.toMatch(/40[13]/);
      if (code !== 'unauthenticated') expect(text, file).not.toMatch(/token/i);
    }
  }
  expect(texts).toBeGreaterThan(20);
});
