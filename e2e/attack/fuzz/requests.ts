import fc from 'fast-check';
import type { Route } from '#contract/route.ts';
import type { HttpRequest } from '../client.ts';
import { hostileValue, nearlyValidValue, validValue } from './values.ts';

/** Caller of a request: two users, the first user's API key, a visitor, or an administrator. */
type Caller = 'one' | 'two' | 'key' | 'visitor' | 'admin';

/** A generated call, with placeholders where ids of the run belong. */
export interface FuzzCall {
  route: Route;
  caller: Caller;
  request: HttpRequest;
}

const BROKEN_BODIES = [
  ...[
    '',
    'null',
    '[]',
    '"x"',
    '{"a":',
    '{"__proto__":{"role":"admin"}}',
    '['.repeat(5000),
    '{"a":1e999}',
    '\ufeff{}',
    '\0',
  ],
  ...['{"constructor":{"prototype":{"role":"admin"}}}', '{"plan":"free","plan":"pro"}', '{}{}', "{'a':1}"],
];
const TYPES = [
  ...[
    'application/json',
    'application/json;',
    'application/json\t;x',
    'text/plain',
    'application/x-www-form-urlencoded',
  ],
  ...['application/json,text/plain', 'multipart/form-data; boundary=x', ''],
];
/** Routes that end the caller's session or account, which is created again afterwards: slow. */
const DESTRUCTIVE =
  /^(?:POST \/auth\/(?:logout|me\/delete|password)|DELETE \/auth\/sessions|DELETE \/projects\/:id$|PUT \/projects\/:id\/owner|DELETE \/projects\/:id\/membership|POST \/auth\/two-factor)/;
const SLOW =
  /^(?:POST \/debug|POST \/chat|POST \/ide\/projects\/:id\/debug|POST \/projects\/:id\/(?:backtest|refresh)|POST \/auth\/(?:register|login|reset))/;

/** So many calls spread over all routes, by a fixed seed. */
export function makeCalls(routes: readonly Route[], count: number, seed: number): FuzzCall[] {
  const shares = routes.map((route) => shareOf(route));
  const sum = shares.reduce((total, share) => total + share, 0);
  const calls = routes.flatMap((route, index) => {
    const numRuns = Math.max(1, Math.round((count * shares[index]!) / sum));
    return fc.sample(callOf(route), { numRuns, seed: seed + index });
  });
  // All routes mixed, so that none has the server for itself.
  const order = fc.sample(
    fc.shuffledSubarray(
      calls.map((_, index) => index),
      { minLength: calls.length },
    ),
    { numRuns: 1, seed },
  );
  return order[0]!.map((index) => calls[index]!);
}

function shareOf({ method, path }: Route): number {
  const name = `${method} ${path}`;
  if (DESTRUCTIVE.test(name)) return 0.1;
  return SLOW.test(name) ? 0.35 : 1;
}

function callOf(route: Route): fc.Arbitrary<FuzzCall> {
  const caller: fc.Arbitrary<Caller> =
    route.access === 'admin'
      ? fc.constantFrom('admin', 'admin', 'admin', 'one', 'key', 'visitor')
      : fc.constantFrom('one', 'one', 'one', 'two', 'two', 'key', 'visitor');
  const kind = fc.constantFrom('valid', 'valid', 'nearly', 'broken');
  return caller.chain((who) =>
    kind.chain((quality) => {
      // An administrator's change would change the run itself: it is sent broken only.
      const how = who === 'admin' && route.method !== 'GET' ? 'broken' : quality;
      return requestOf(route, how).map((request) => ({ route, caller: who, request }));
    }),
  );
}

function requestOf(route: Route, quality: string): fc.Arbitrary<HttpRequest> {
  const values = (schema: Route['body']): fc.Arbitrary<unknown> => {
    if (!schema) return quality === 'broken' ? hostileValue : fc.constant(undefined);
    return quality === 'valid'
      ? validValue(schema)
      : quality === 'nearly'
        ? nearlyValidValue(schema)
        : hostileValue;
  };
  // A request that reaches nothing tells little: paths stay valid in most of the broken ones, too.
  const params = route.params ? validValue(route.params) : fc.constant({});
  const parts = fc.record({
    params: quality === 'broken' ? fc.oneof({ weight: 3, arbitrary: params }, hostileValue) : params,
    query: route.query
      ? quality === 'broken'
        ? nearlyValidValue(route.query)
        : values(route.query)
      : fc.constant({}),
    body: values(route.body),
    raw: quality === 'broken' ? fc.option(fc.constantFrom(...BROKEN_BODIES)) : fc.constant(null),
    type: quality === 'broken' ? fc.constantFrom(...TYPES) : fc.constant('application/json'),
    accept: fc.constantFrom(
      'application/json',
      'application/json',
      'application/json',
      'text/event-stream',
      '*/*',
    ),
  });
  return parts.map(({ params: pathParams, query, body, raw, type, accept }) => {
    const headers: Record<string, string> = { accept };
    if (route.kind === 'raw') headers['content-type'] = 'application/json';
    const request: HttpRequest = {
      method: route.method,
      path: `/api${fillPath(route.path, pathParams)}${queryOf(query)}`,
      headers,
    };
    if (route.method === 'GET' || (body === undefined && raw === null)) return request;
    if (route.kind === 'form') {
      headers['content-type'] =
        quality === 'broken' && type !== '' ? type : 'application/x-www-form-urlencoded';
      return { ...request, body: raw ?? queryOf(body).slice(1) };
    }
    if (type !== '') headers['content-type'] = type;
    const text = raw ?? JSON.stringify(body ?? null);
    return { ...request, body: text };
  });
}

function fillPath(path: string, params: unknown): string {
  const values = (typeof params === 'object' && params !== null ? params : {}) as Record<string, unknown>;
  return path
    .replace(/:(\w+)/g, (_, name: string) => escapeValue(values[name] ?? params ?? 'x'))
    .replace('*', () => escapeValue(values['*'] ?? params ?? 'x').replaceAll('%2F', '/'));
}

function escapeValue(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return encodeURIComponent(text.slice(0, 1500).toWellFormed()).replaceAll('%24', '$') || 'x';
}

function queryOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const query = new URLSearchParams();
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue;
    const text = typeof item === 'object' ? JSON.stringify(item) : String(item);
    query.append(name, text.slice(0, 2000).toWellFormed());
  }
  return query.size > 0 ? `?${query.toString().replaceAll('%24', '$')}` : '';
}
