import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Route } from '#contract/route.ts';
import { openApi } from './openapi.ts';
import { type TestApp, type TestUser, testApp } from './testing.ts';

let server: TestApp;
let user: TestUser;

beforeAll(async () => {
  server = await testApp();
  user = await server.signUp();
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

test.each(NAMES.filter(([, route]) => route.access !== 'visitor'))(
  '%s asks for a sign-in',
  async (_name, route) => {
    const reply = await server.inject({ method: route.method, url: `/api${filled(route.path)}` });
    expect(reply.statusCode).toBe(401);
  },
);

/** What each route that takes an id must be sent, so that nothing but the id is wrong. */
const INPUT: Record<string, { query?: object; payload?: object }> = {
  'POST /debug': { payload: { error_message: 'boom', project_id: 'FOREIGN' } },
  'POST /debug/rag': { payload: { error_message: 'boom', project_id: 'FOREIGN' } },
  'POST /projects/:id/backtest': { payload: {} },
  'POST /chat/projects/:id/messages': { payload: { message: 'why', project_id: 'FOREIGN' } },
  'GET /search': { query: { q: 'boom', project_id: 'FOREIGN' } },
  'GET /search/history': { query: { q: 'boom', project_id: 'FOREIGN' } },
  'GET /search/lines': { query: { q: 'boom', project_id: 'FOREIGN' } },
  'GET /debug/sessions': { query: { project_id: 'FOREIGN' } },
  'POST /ide/projects/:id/files/*': { payload: { content: 'x' } },
  'POST /ide/projects/:id/debug/ide': { payload: { code: 'x', file_path: 'x.js' } },
  'POST /history/feedback': { payload: { debug_query_id: 'FOREIGN', helpful: true } },
};

/** Calls that take nobody's id. */
const WITHOUT_ID =
  /^(?:\w+ \/auth\/.*|GET \/dashboard|\w+ \/notifications(?:\/unread-count|\/read-all)?|GET \/projects|POST \/projects|\w+ \/payments\/(?!refund).*)$/;

test.each(NAMES.filter(([name]) => !WITHOUT_ID.test(name)))(
  "%s answers somebody else's id exactly as one that does not exist, and changes nothing",
  async (name, route) => {
    expect(/[:*]/.test(route.path) || name in INPUT, 'a route without an id belongs into WITHOUT_ID').toBe(
      true,
    );
    const foreign = await foreignProject();
    const answers = [];
    for (const id of [foreign, 'missing']) {
      const { query, payload } = JSON.parse(JSON.stringify(INPUT[name] ?? {}).replaceAll('FOREIGN', id));
      const reply = await server.inject(
        { method: route.method, url: `/api${filled(route.path, id)}`, query, payload },
        user,
      );
      const { request_id: _, ...error } = reply.json().error;
      answers.push({ status: reply.statusCode, error });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.status).toBe(404);
    const row = await server.deps.db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', foreign)
      .executeTakeFirst();
    expect(row).toMatchObject({ id: foreign, name: 'secret' });
  },
);

let foreignId: string | undefined;

/** A project that belongs to somebody else. */
async function foreignProject(): Promise<string> {
  if (foreignId === undefined) {
    const owner = await server.signUp();
    foreignId = 'foreign-project';
    await server.deps.db
      .insertInto('projects')
      .values({ id: foreignId, name: 'secret', git_url: 'https://git.example/secret', status: 'ready' })
      .execute();
    await server.deps.db
      .insertInto('project_members')
      .values({ project_id: foreignId, user_id: owner.id, role: 'owner' })
      .execute();
  }
  return foreignId;
}

function filled(path: string, id = 'x'): string {
  return path.replace(':sha', 'abcdef0').replace('*', 'README.md').replace(/:\w+/g, id);
}

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

/** Clients of the specification sign out on these digits and refresh on this word, wherever they stand. */
test('no text of an error holds the digits of a sign-out or the word that makes clients refresh', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
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
