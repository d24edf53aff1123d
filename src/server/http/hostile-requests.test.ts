import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRoutes } from '#contract/api.ts';
import type { Route } from '#contract/route.ts';
import { type TestApp, testApp } from '../testing.ts';

/** Every route of the contract against every body and query that no client of ours would send. */

let server: TestApp;

beforeAll(async () => {
  server = await testApp({ work: true });
});
afterAll(() => server.close());

const ROUTES = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));
const JSON_TYPE = 'application/json';

const BODIES: [string, string | undefined, string][] = [
  ['nothing', undefined, JSON_TYPE],
  ['null', 'null', JSON_TYPE],
  ['an array', '[]', JSON_TYPE],
  ['a string', '"x"', JSON_TYPE],
  ['half of an object', '{"a":', JSON_TYPE],
  ['a prototype', '{"__proto__":{"role":"admin"}}', JSON_TYPE],
  ['a constructor', '{"constructor":{"prototype":{"role":"admin"}}}', JSON_TYPE],
  ['a depth of 20,000', '['.repeat(20_000), JSON_TYPE],
  ['ten thousand keys', `{${Array.from({ length: 10_000 }, (_, i) => `"k${i}":1`).join(',')}}`, JSON_TYPE],
  ['plain text', '{"name":"x"}', 'text/plain'],
  ['a list of types', '{"name":"x"}', 'application/json,text/plain'],
  ['a form', 'name=x&plan=pro&message=x', 'multipart/form-data; boundary=x'],
];

/** Placeholder values for every field that the contract names. */
const VALUES: [string, unknown][] = [
  ['an array', ['a@b.c']],
  ['an object', { a: 1 }],
  ['a number', 1e308],
  ['true', true],
  ['null', null],
  ['U+0000', 'a\0b'],
  ['half of a surrogate pair', '\ud800'],
  ['ten thousand characters', 'x'.repeat(10_000)],
  ['a direction mark', 'a\u202eb'],
  ['a script', '<script>alert(1)</script>'],
  ['nothing but spaces', '   '],
];

const QUERIES = ['-1', '1e9', 'NaN', '9223372036854775808', '', '\0', '%', "'; drop table users;--"];

test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s answers in words whatever is sent, and never fails',
  async (name, route) => {
    // A separate user per route: one of the calls signs out.
    const user = await server.signUp();
    for (const request of hostileRequests(route)) {
      const reply = await server.inject(request.options, user);
      const seen = `${request.what}: ${reply.statusCode} ${reply.body.slice(0, 200)}`;
      // 503 in words is what payments say on a server that takes none.
      if (reply.statusCode === 503) expect(reply.json().error.code, seen).toBe('unavailable');
      else expect(reply.statusCode, seen).toBeLessThan(500);
      if (route.access === 'user' && name !== 'POST /auth/logout')
        expect(reply.statusCode, seen).not.toBe(401);
      if (reply.statusCode >= 400) expect(reply.json().error.message, seen).toMatch(/\S{2,} \S+/);
    }
  },
);

function* hostileRequests(route: Route): Generator<{ what: string; options: InjectOptions }> {
  const to = { method: route.method, url: `/api${route.path.replace(/:\w+|\*/g, 'x')}` };
  if (route.method !== 'GET') {
    for (const [what, payload, type] of BODIES) {
      yield { what, options: { ...to, payload, headers: { 'content-type': type } } };
    }
    const fields = fieldsOf(route.body);
    for (const [what, value] of VALUES) {
      const payload = JSON.stringify(Object.fromEntries(fields.map((field) => [field, value])));
      yield { what, options: { ...to, payload, headers: { 'content-type': JSON_TYPE } } };
    }
  }
  const queries = fieldsOf(route.query);
  if (queries.length === 0) return;
  for (const value of QUERIES) {
    yield {
      what: `query ${value}`,
      options: { ...to, query: Object.fromEntries(queries.map((key) => [key, value])) },
    };
  }
}

/** Names of the fields of an object schema, also of one that may be left out. */
function fieldsOf(schema: unknown): string[] {
  const { shape, unwrap } = (schema ?? {}) as { shape?: object; unwrap?: () => unknown };
  if (shape) return Object.keys(shape);
  return unwrap ? fieldsOf(unwrap.call(schema)) : [];
}
