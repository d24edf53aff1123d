import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRoutes } from '#contract/api.ts';
import type { Route } from '#contract/route.ts';
import { HOSTILE_URLS } from '#egress/testing.ts';
import { HOSTILE_PATHS, HOSTILE_QUERIES, ODD_NAMES } from '#git/testing-hostile.ts';
import { createIdeFixture, type IdeFixture } from '../ide/testing.ts';
import type { TestUser } from '../testing.ts';

/** Random requests that mix everything hostile, against an indexed project; `npm run attack` sends ten times as many. */

const REQUESTS = 2_000;
const AT_ONCE = 16;
/** So that a failure can be seen again. */
const SEED = 20_240_531;

let world: IdeFixture;
let spare: TestUser;
const unhandled: unknown[] = [];
/** First digit of the status → how many. */
const seen: Record<string, number> = {};
const note = (reason: unknown) => unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  world = await createIdeFixture({
    'src/a.js': 'export function a() {\n  return 1;\n}\n',
    'README.md': 'words\n',
  });
  spare = await world.app.signUp('spare');
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await world.close();
});

const ROUTES = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));
/** Slow routes and routes that end the caller's access: tested less often and by a separate user. */
const SLOW = /^(?:\/debug|\/chat|\/ide\/projects\/:id\/debug|\/projects\/:id\/backtest|\/search)/;
const PARTING = /^\/(?:auth|account|keys|payments)(?:\/|$)|\/membership$/;

const TEXTS = [
  ...HOSTILE_URLS.map(([address]) => address),
  ...HOSTILE_QUERIES,
  ...ODD_NAMES,
  ...['a\0b', '\ud800', '\u202eabc', '<script>alert(1)</script>', '![x](//evil/?d=S)', 'e\u0301', '   ', ''],
  ...['>'.repeat(5000), '*a '.repeat(5000), 'x'.repeat(300_000), '-1', '1e9', 'NaN', '9223372036854775808'],
  ...['TypeError: x is not a function\n    at a (src/a.js:2:3)', 'HEAD:', '@{u}', 'a..b', 'true', 'null'],
];
const VALUES: unknown[] = [...TEXTS, 0, -1, 1e308, true, null, [], ['a@b.c'], {}, { a: { b: [] } }];
const BODIES = [
  ...['', 'null', '[]', '"x"', '{"a":', '{"__proto__":{"role":"admin"}}', '['.repeat(20_000), '{"a":1e999}'],
  ...['{"constructor":{"prototype":{"role":"admin"}}}', '{"plan":"free","plan":"pro"}', '\ufeff{}', '\0'],
];
const TYPES = [
  ...['application/json', 'application/json', 'application/json;', 'application/json\t;x', 'text/plain', ''],
  ...['application/json,text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'],
];
const BEARERS = ['', 'Bearer', 'Basic x', 'Bearer x.y.z', 'Bearer hs_x', `Bearer ${'a'.repeat(9000)}`];

/** A stream of numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const next = random(SEED);
const chance = (share: number) => next() < share;
const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;

function fieldsOf(schema: unknown): string[] {
  const { shape, unwrap } = (schema ?? {}) as { shape?: object; unwrap?: () => unknown };
  if (shape) return Object.keys(shape);
  return unwrap ? fieldsOf(unwrap.call(schema)) : [];
}

function id(): string {
  if (chance(0.5)) return world.projectId;
  return encodeURIComponent(pick(['missing', '1', '-1', '0', ...ODD_NAMES, 'x'.repeat(100), '../x', 'a\0']));
}

function valueFor(field: string): unknown {
  if (field === 'project_id' && chance(0.7)) return world.projectId;
  return pick(VALUES);
}

function makeRequest(): InjectOptions {
  let route = pick(ROUTES);
  while (SLOW.test(route.path) && chance(0.85)) route = pick(ROUTES);
  const path = route.path
    .replace(':sha', () => pick(['abcdef0', 'x', '0'.repeat(40), encodeURIComponent('HEAD^')]))
    .replace(/:\w+/g, id)
    .replace('*', () => pick([...HOSTILE_PATHS, ...ODD_NAMES, 'src/a.js', 'README.md']));
  const query = new URLSearchParams();
  for (const field of fieldsOf(route.query)) {
    if (chance(0.6)) query.append(field, String(valueFor(field)).slice(0, 2000).toWellFormed());
  }
  const headers: Record<string, string> = {};
  if (chance(0.1)) headers.authorization = pick(BEARERS);
  else if (chance(0.9)) {
    const user = PARTING.test(route.path) ? spare : world.bea;
    headers.authorization = `Bearer ${user.accessToken}`;
  }
  if (chance(0.1)) headers.origin = pick(['null', 'https://evil.example', 'x', 'http://localhost:80']);
  if (chance(0.1)) headers.accept = pick(['text/event-stream', 'text/html', '*/*', 'x']);
  if (chance(0.1)) headers.cookie = pick(['refresh_token=x', 'theme=<script>', 'language=xx; theme', '=;=']);
  if (chance(0.05)) headers['x-forwarded-for'] = pick(['127.0.0.1', '203.0.113.9, x', "'"]);
  const options: InjectOptions = {
    method: chance(0.03) ? pick(['HEAD', 'OPTIONS', 'DELETE']) : route.method,
    url: `/api${path}${query.size > 0 ? `?${query}` : ''}`,
    headers,
    remoteAddress: `10.${Math.floor(next() * 250)}.${Math.floor(next() * 250)}.1`,
  };
  if (route.method === 'GET') return options;
  const fields = fieldsOf(route.body).filter(() => chance(0.9));
  const whole = JSON.stringify(Object.fromEntries(fields.map((field) => [field, valueFor(field)])));
  options.payload = chance(0.2) ? pick(BODIES) : whole;
  const type = chance(0.85) ? 'application/json' : pick(TYPES);
  if (type) headers['content-type'] = type;
  return options;
}

/** Forbidden replies. Where a feature is not set up or not ready, a worded 503 is right. */
async function fault(options: InjectOptions): Promise<string | null> {
  const reply = await world.app.inject(options);
  const kind = String(reply.statusCode)[0]!;
  seen[kind] = (seen[kind] ?? 0) + 1;
  if (reply.statusCode < 500) return null;
  const { error } = reply.json();
  if (reply.statusCode === 503 && error.code === 'unavailable' && error.reason) return null;
  return `${options.method} ${options.url}: ${reply.statusCode} ${reply.body} ${String(options.payload).slice(0, 300)}`;
}

test(`${REQUESTS} random requests: no internal error, no unhandled rejection`, {
  timeout: 300_000,
}, async () => {
  const faults: string[] = [];
  let left = REQUESTS;
  const run = async () => {
    while (left-- > 0) {
      const found = await fault(makeRequest());
      if (found !== null) faults.push(found);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  expect(faults).toEqual([]);
  expect(unhandled).toEqual([]);
  expect((await world.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  // The project is still what it was for its owner.
  const { statusCode } = await world.app.inject({ url: `/api/projects/${world.projectId}` }, world.ada);
  expect(statusCode).toBe(200);
});
