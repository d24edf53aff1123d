import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRoutes } from '#contract/api.ts';
import type { Route } from '#contract/route.ts';
import { templatesIn } from '#locales/catalogs.ts';
import { type TestApp, testApp } from '../testing.ts';
import { openApi } from './openapi.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

const ROUTES = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));
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

/** Clients of the specification sign out on these digits and refresh on this word, wherever they occur in a message. */
test('no error message contains the digits of a sign-out or the word that makes clients refresh', () => {
  // Messages of an input field are shown next to it and never in `detail`.
  const ofFields = ['git_token_empty', 'git_token_format'];
  const messages = [...templatesIn('en')].filter(([key]) => key.startsWith('errors.'));
  expect(messages.length).toBeGreaterThan(200);
  for (const [key, text] of messages) {
    expect(text, key).not.toMatch(/40[13]/);
    if (!ofFields.includes(key.replace('errors.', ''))) expect(text, key).not.toMatch(/token/i);
  }
});
