import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { intakeRoutes } from '#contract/intake.ts';
import { dial, readAll, statusOf } from '../testing-raw-http.ts';
import { envelopeOf, type IntakeApp, openIntakeApp } from './testing-intake.ts';

/** Damaged, oversized, compressed, forged and repeated bodies: each gets a clear answer, none an error of the server. */

let app: IntakeApp;
beforeAll(async () => {
  app = await openIntakeApp();
});
afterAll(() => app.close());

const MIB = 2 ** 20;
const EVENT_ID = 'a'.repeat(32);
const EVENT = {
  event_id: EVENT_ID,
  platform: 'python',
  exception: {
    values: [{ type: 'ValueError', value: 'bad', stacktrace: { frames: [{ filename: 'a.py', lineno: 1 }] } }],
  },
};
const zeros = (bytes: number) => Buffer.alloc(bytes, 0x20);
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const item = (type: string, payload: string, length: unknown = Buffer.byteLength(payload)) =>
  `{}\n${JSON.stringify({ type, length })}\n${payload}\n`;
const event = (fields: object) => envelopeOf({ ...EVENT, event_id: undefined, ...fields });

type Body = string | Buffer;
interface Attack {
  to?: 'envelope/' | 'store/' | 'otlp/v1/logs' | 'otlp/v1/traces';
  body: Body;
  headers?: Record<string, string>;
  /** Statuses that are right. */
  status: number[];
  /** Path instead of the project's. */
  path?: (app: IntakeApp) => string;
  /** Without the key in the query. */
  keyless?: true;
}

const encoded = (encoding: string, body: Buffer, status: number[]): Attack => ({
  body,
  headers: { 'content-encoding': encoding },
  status,
});
const JSON_TYPE = { 'content-type': 'application/json' };
const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const log = (record: object) => JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
const exceptionAttributes = (value: object) => [{ key: 'exception.type', value }];

/** Encoders of a body that is all spaces: its compressed form is a thousandth. */
const ENCODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
};
const GOOD = Buffer.from(envelopeOf(EVENT));

const ATTACKS: Record<string, Attack> = {
  // Framing of envelopes.
  'an empty body': { body: '', status: [400] },
  'only a newline': { body: '\n', status: [400] },
  'only spaces': { body: '   \n\n', status: [400] },
  'a first line that is no JSON': { body: 'hello\n', status: [400] },
  'a first line that is a list': { body: '[]\n', status: [400] },
  'a first line that is null': { body: 'null\n', status: [400] },
  'a first line that is cut off': { body: '{"dsn":"', status: [400] },
  'a first line longer than 8 KB': { body: `{"a":"${'x'.repeat(9_000)}"}\n`, status: [400] },
  'a first line of 2 MB without an end': { body: '{'.repeat(2 * MIB), status: [400] },
  'a first line of exactly 8 KB': { body: `{"a":"${'x'.repeat(8_184)}"}\n`, status: [200] },
  'a deeply nested first line': { body: `${nested(200)}\n`, status: [400] },
  'a first line with a prototype key': { body: '{"__proto__":{"dsn":"x"}}\n', status: [200] },
  'no items': { body: '{}\n', status: [200] },
  'empty lines between items': { body: `{}\n\n\n${item('session', '{}').slice(3)}\n\n`, status: [200] },
  'ten thousand empty lines': { body: `{}${'\n'.repeat(10_000)}`, status: [400] },
  'an item without a type': { body: '{}\n{"length":2}\n{}\n', status: [400] },
  'an item whose type is a number': { body: '{}\n{"type":1,"length":2}\n{}\n', status: [400] },
  'an item of type __proto__': { body: item('__proto__', '{}'), status: [200] },
  'an item of type constructor': { body: item('constructor', '{}'), status: [200] },
  'an item header that is no JSON': { body: '{}\nevent\n{}\n', status: [400] },
  'an item header longer than 8 KB': {
    body: `{}\n{"type":"event","x":"${'x'.repeat(9_000)}"}\n{}\n`,
    status: [400],
  },
  'a negative length': { body: item('event', '{}', -1), status: [400] },
  'a fractional length': { body: item('event', '{}', 1.5), status: [400] },
  'a length as text': { body: item('event', '{}', '2'), status: [400] },
  'an endless length': { body: item('event', '{}', Number.POSITIVE_INFINITY), status: [200, 400] },
  'a length of 2^53': { body: item('event', '{}', 2 ** 53), status: [400, 413] },
  'a length beyond the body': { body: item('event', '{}', 500), status: [400] },
  'a length short of the payload': { body: item('event', JSON.stringify(EVENT), 5), status: [400] },
  'a dropped item beyond the body': { body: item('attachment', 'abc', 10_000_000), status: [400] },
  'a dropped item of 5 MB': { body: item('replay_recording', 'x'.repeat(5 * MIB)), status: [200] },
  'a dropped item of 5 MB without a length': {
    body: `{}\n{"type":"attachment"}\n${'x'.repeat(5 * MIB)}`,
    status: [200],
  },
  'two thousand items': { body: `{}\n${'{"type":"session","length":2}\n{}\n'.repeat(2_000)}`, status: [400] },
  'two hundred events': { body: `{}\n${'{"type":"event","length":2}\n{}\n'.repeat(200)}`, status: [400] },
  'an event of 1.5 MB': { body: event({ extra: { a: 'x'.repeat(1.5 * MIB) } }), status: [413] },
  'an event of 1.5 MB without a length': {
    body: `{}\n{"type":"event"}\n"${'x'.repeat(1.5 * MIB)}"`,
    status: [413],
  },
  'an envelope of 21 MB': { body: item('attachment', 'x'.repeat(21 * MIB)), status: [413] },
  'an event without a length': { body: `{}\n{"type":"event"}\n${JSON.stringify(EVENT)}`, status: [200] },
  'line ends of Windows': { body: envelopeOf(EVENT).replaceAll('\n', '\r\n'), status: [200, 400] },
  'a mark of byte order': { body: `\uFEFF${envelopeOf(EVENT)}`, status: [200, 400] },
  'bytes that are no UTF-8': { body: Buffer.from([0xff, 0xfe, 0x0a, 0xff]), status: [400] },
  // Events.
  'an event that is a list': { body: item('event', '[]'), status: [400] },
  'an event that is null': { body: item('event', 'null'), status: [400] },
  'an event that is a text': { body: item('event', '"boom"'), status: [400] },
  'an event that is cut off': { body: item('event', '{"exception":{"values":['), status: [400] },
  'an event 5,000 levels deep': { body: item('event', nested(5_000)), status: [400] },
  'an event of 200,000 values': { body: item('event', `{"a":[${'1,'.repeat(200_000)}1]}`), status: [400] },
  'an event with prototype keys': {
    body: item(
      'event',
      '{"__proto__":{"polluted":1},"tags":{"__proto__":"x","constructor":"y"},"extra":{"__proto__":{"a":1}}}',
    ),
    status: [200],
  },
  'an event with NUL': { body: event({ message: 'a\0b', tags: { 'k\0': 'v\0' } }), status: [200] },
  'an event with half a surrogate pair': {
    body: item('event', '{"message":"\\ud800 x","tags":{"\\udfff":"\\ud83d"}}'),
    status: [200],
  },
  'exceptions of every wrong type': {
    body: event({ exception: [1, null, 'x', [], { type: {}, value: [], stacktrace: 3 }] }),
    status: [200],
  },
  'frames of every wrong type': {
    body: event({
      exception: {
        values: [
          {
            stacktrace: {
              frames: [
                1,
                null,
                { filename: {}, lineno: 'x', colno: -1, pre_context: 'a', post_context: [{}] },
              ],
            },
          },
        ],
      },
    }),
    status: [200],
  },
  'lines beyond every integer': {
    body: event({
      exception: {
        values: [{ type: 'E', stacktrace: { frames: [{ filename: 'a', lineno: 1e308, colno: 9e15 }] } }],
      },
    }),
    status: [200],
  },
  'two thousand frames': {
    body: event({
      exception: {
        values: [
          {
            type: 'E',
            stacktrace: { frames: Array.from({ length: 2_000 }, () => ({ filename: 'a.js', lineno: 1 })) },
          },
        ],
      },
    }),
    status: [200],
  },
  'five hundred exceptions': {
    body: event({ exception: { values: Array(500).fill({ type: 'E', value: 'x' }) } }),
    status: [200],
  },
  'ten thousand breadcrumbs': {
    body: event({ breadcrumbs: { values: Array(10_000).fill({ message: 'x' }) } }),
    status: [200],
  },
  'ten thousand tags': {
    body: event({ tags: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 'v'])) }),
    status: [200],
  },
  'tags as pairs of anything': {
    body: event({ tags: [[{}, []], 1, null, ['a'], ['b', 'c', 'd']] }),
    status: [200],
  },
  'a message of 900 KB': { body: event({ message: 'x '.repeat(450_000) }), status: [200] },
  'a message made against the scrubbing': {
    body: event({ message: `${'a.'.repeat(4_000)}@${'1-'.repeat(4_000)}` }),
    status: [200],
  },
  'a message of colons': { body: event({ message: ':'.repeat(8_000) }), status: [200] },
  'a message of equals signs': { body: event({ message: 'password='.repeat(900) }), status: [200] },
  'an event id that is a number': { body: event({ event_id: 7 }), status: [200] },
  'an event id of 10 KB': { body: event({ event_id: 'f'.repeat(10_000) }), status: [200] },
  'an event id with a quote': { body: event({ event_id: "'; drop table users; --" }), status: [200] },
  'a time in the year 275760': { body: event({ timestamp: 8.64e15 }), status: [200] },
  'a time that is no time': { body: event({ timestamp: 'yesterday' }), status: [200] },
  'a time before all time': { body: event({ timestamp: -1e300 }), status: [200] },
  'a fingerprint of lists': {
    body: event({ fingerprint: [[], {}, null, 1, 'a'.repeat(5_000)] }),
    status: [200],
  },
  'debug images of every wrong type': {
    body: event({ debug_meta: { images: [1, {}, { debug_id: 'x'.repeat(9_000) }, { debug_id: {} }] } }),
    status: [200],
  },
  'a transaction as an event': { body: event({ type: 'transaction' }), status: [200] },
  // Compression.
  ...Object.fromEntries(
    Object.entries(ENCODERS).flatMap(([encoding, encode]) => [
      [`a good event in ${encoding}`, encoded(encoding, encode(GOOD), [200])],
      [`200 MB of spaces in ${encoding}`, encoded(encoding, encode(zeros(200 * MIB)), [400, 413])],
      [
        `a bomb behind a good line in ${encoding}`,
        encoded(
          encoding,
          encode(Buffer.concat([Buffer.from('{}\n{"type":"attachment"}\n'), zeros(100 * MIB)])),
          [413],
        ),
      ],
      [`${encoding} that is cut off`, encoded(encoding, encode(GOOD).subarray(0, -9), [400])],
      [
        `${encoding} that is damaged`,
        encoded(encoding, Buffer.concat([encode(GOOD).subarray(0, 20), Buffer.alloc(40, 7)]), [400]),
      ],
      [`text that claims to be ${encoding}`, encoded(encoding, GOOD, [400])],
    ]),
  ),
  'an unknown encoding': encoded('compress', GOOD, [415]),
  'two encodings': encoded('gzip, br', brotliCompressSync(gzipSync(GOOD)), [415]),
  'an encoding named __proto__': encoded('__proto__', GOOD, [415]),
  'gzip inside gzip': encoded('gzip', gzipSync(gzipSync(GOOD)), [400]),
  // Keys and numbers.
  'no key at all': { body: GOOD, keyless: true, status: [401] },
  'a wrong key in the query': {
    body: GOOD,
    path: ({ project }) => `/api/${project.number}/envelope/?sentry_key=${'0'.repeat(32)}`,
    status: [401],
  },
  'two different keys': {
    body: GOOD,
    headers: { 'x-sentry-auth': `Sentry sentry_key=${'0'.repeat(32)}` },
    status: [401],
  },
  'an empty key': {
    body: GOOD,
    path: ({ project }) => `/api/${project.number}/envelope/?sentry_key=`,
    status: [401],
  },
  'a key in a list': {
    body: GOOD,
    path: ({ project, intake }) => `/api/${project.number}/store/?sentry_key[]=${intake.key}`,
    status: [401],
  },
  'a wrong key in the first line': {
    body: envelopeOf(EVENT, { dsn: 'https://00@localhost/1' }),
    keyless: true,
    status: [401],
  },
  'a first line whose dsn is no URL': {
    body: envelopeOf(EVENT, { dsn: 'nothing' }),
    keyless: true,
    status: [401],
  },
  'a key beside a wrong one in the first line': {
    body: envelopeOf(EVENT, { dsn: 'https://00@localhost/1' }),
    status: [401],
  },
  'an unknown number': {
    body: GOOD,
    path: ({ intake }) => `/api/99999/envelope/?sentry_key=${intake.key}`,
    status: [404],
  },
  'number zero': {
    body: GOOD,
    path: ({ intake }) => `/api/0/envelope/?sentry_key=${intake.key}`,
    status: [404],
  },
  'a number beyond every integer': {
    body: GOOD,
    path: ({ intake }) => `/api/99999999999/store/?sentry_key=${intake.key}`,
    status: [404],
  },
  'a number that is a word': {
    body: GOOD,
    path: ({ intake }) => `/api/nobody/envelope/?sentry_key=${intake.key}`,
    status: [404],
  },
  'a number with a sign': {
    body: GOOD,
    path: ({ project, intake }) => `/api/-${project.number}/envelope/?sentry_key=${intake.key}`,
    status: [404],
  },
  // Single events.
  'a stored event that is empty': { to: 'store/', body: '', status: [400] },
  'a stored event that is no JSON': { to: 'store/', body: 'boom', status: [400] },
  'a stored event of 2 MB': {
    to: 'store/',
    body: JSON.stringify({ message: 'x'.repeat(2 * MIB) }),
    status: [413],
  },
  'a stored event whose gzip holds 2 MB': {
    to: 'store/',
    body: gzipSync(JSON.stringify({ message: 'x'.repeat(2 * MIB) })),
    headers: { 'content-encoding': 'gzip' },
    status: [413],
  },
  // OpenTelemetry.
  'logs that are empty': { to: 'otlp/v1/logs', body: '', headers: JSON_TYPE, status: [400] },
  'logs that are no JSON': {
    to: 'otlp/v1/logs',
    body: '{"resourceLogs":',
    headers: JSON_TYPE,
    status: [400],
  },
  'logs of every wrong type': {
    to: 'otlp/v1/logs',
    body: '{"resourceLogs":[1,null,{"scopeLogs":{}},{"scopeLogs":[{"logRecords":[1,{"attributes":[1]}]}]}]}',
    headers: JSON_TYPE,
    status: [200],
  },
  'logs 1,000 levels deep': { to: 'otlp/v1/logs', body: nested(1_000), headers: JSON_TYPE, status: [400] },
  'a log whose time is no number': {
    to: 'otlp/v1/logs',
    body: log({ timeUnixNano: 'x'.repeat(500), attributes: exceptionAttributes({ stringValue: 'E' }) }),
    headers: JSON_TYPE,
    status: [200],
  },
  'a log whose type is a list': {
    to: 'otlp/v1/logs',
    body: log({ attributes: exceptionAttributes({ arrayValue: { values: [] } }) }),
    headers: JSON_TYPE,
    status: [200],
  },
  'a log with an endless trace': {
    to: 'otlp/v1/logs',
    body: log({
      attributes: [
        { key: 'exception.stacktrace', value: { stringValue: '    at a (b.js:1:1)\n'.repeat(50_000) } },
      ],
    }),
    headers: JSON_TYPE,
    status: [200],
  },
  'logs of 5 MB': { to: 'otlp/v1/logs', body: 'x'.repeat(5 * MIB), headers: JSON_TYPE, status: [413] },
  'logs of another type': {
    to: 'otlp/v1/logs',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
    status: [415],
  },
  'JSON that claims to be protobuf': { to: 'otlp/v1/logs', body: log({}), headers: PROTOBUF, status: [400] },
  'protobuf that is cut off': {
    to: 'otlp/v1/traces',
    body: Buffer.from([0x0a, 0x7f, 0x0a]),
    headers: PROTOBUF,
    status: [400],
  },
  'protobuf with an endless varint': {
    to: 'otlp/v1/traces',
    body: Buffer.alloc(4_096, 0xff),
    headers: PROTOBUF,
    status: [400],
  },
  'protobuf of nested groups': {
    to: 'otlp/v1/traces',
    body: Buffer.alloc(4_096, 0x0b),
    headers: PROTOBUF,
    status: [400],
  },
  'protobuf with a length beyond 2 GB': {
    to: 'otlp/v1/logs',
    body: Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    headers: PROTOBUF,
    status: [400],
  },
  'a bomb of protobuf': {
    to: 'otlp/v1/logs',
    body: gzipSync(Buffer.alloc(100 * MIB)),
    headers: { ...PROTOBUF, 'content-encoding': 'gzip' },
    status: [413],
  },
};

test(`${Object.keys(ATTACKS).length} hostile bodies get a clear answer`, async () => {
  expect(Object.keys(ATTACKS).length).toBeGreaterThanOrEqual(80);
  const before = process.memoryUsage().rss;
  let peak = 0;
  const wrong: string[] = [];
  for (const [name, { to = 'envelope/', body, headers, status, path, keyless }] of Object.entries(ATTACKS)) {
    const key = keyless ? '' : `?sentry_key=${app.intake.key}`;
    const url = path?.(app) ?? `/api/${app.project.number}/${to}${key}`;
    const started = performance.now();
    const reply = await app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { 'content-type': 'text/plain', ...headers },
    });
    const ms = performance.now() - started;
    peak = Math.max(peak, process.memoryUsage().rss - before);
    const text = reply.body;
    const isClear = reply.statusCode < 300 || (reply.json().error?.message ?? '').length > 20;
    if (!status.includes(reply.statusCode) || !isClear || ms > 15_000)
      wrong.push(`${name}: ${reply.statusCode} in ${Math.round(ms)} ms ${text.slice(0, 200)}`);
    expect(text).not.toContain(app.intake.key);
  }
  expect(wrong).toEqual([]);
  expect(peak).toBeLessThan(500 * MIB);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  // All of them together have left the server able to take the next one.
  const good = await app.inject({
    method: 'POST',
    url: `/api/${app.project.number}/envelope/?sentry_key=${app.intake.key}`,
    payload: GOOD,
  });
  expect([good.statusCode, good.json()]).toEqual([200, { id: EVENT_ID }]);
});

test('a repeated event is stored once, and its sender hears nothing of it', async () => {
  const id = 'b'.repeat(32);
  const url = `/api/${app.project.number}/envelope/?sentry_key=${app.intake.key}`;
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.inject({ method: 'POST', url, payload: envelopeOf({ ...EVENT, event_id: id }) }),
    ),
  );
  expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
    new Set([`200 {"id":"${id}"}`]),
  );
  expect((await app.events()).filter((stored) => stored.id === id)).toHaveLength(1);
  const { body } = await app.call(intakeRoutes.get, { params: { id: app.project.id } }, app.ada);
  const counts = Object.fromEntries(body.counts.map(({ outcome, count }) => [outcome, count]));
  expect(counts.duplicate).toBeGreaterThanOrEqual(19);
  expect(counts).toMatchObject({
    replay: 1,
    session: expect.any(Number),
    too_large: expect.any(Number),
    invalid: expect.any(Number),
  });
});

test.each([
  [
    'duplicate keys in two headers',
    (key: string) => `X-Sentry-Auth: Sentry sentry_key=${key}\r\nX-Sentry-Auth: Sentry sentry_key=0\r\n`,
    401,
  ],
  [
    'the same key in two headers',
    (key: string) => `X-Sentry-Auth: Sentry sentry_key=${key}\r\nX-Sentry-Auth: Sentry sentry_key=${key}\r\n`,
    200,
  ],
  [
    'two authorizations, of which the second is wrong',
    (key: string) => `Authorization: Bearer ${key}\r\nAuthorization: Bearer 0\r\n`,
    401,
  ],
  ['two lengths', () => 'Content-Length: 3\r\n', 400],
])('raw: %s', async (_name, headers, status) => {
  const socket = await dial(app.app);
  const reply = readAll(socket);
  const chunk = `${GOOD.length.toString(16)}\r\n${GOOD.toString()}\r\n0\r\n\r\n`;
  const sent = headers(app.intake.key);
  const framing = sent.startsWith('Content-Length')
    ? 'Content-Length: 5\r\n'
    : 'Transfer-Encoding: chunked\r\n';
  socket.write(
    `POST /api/${app.project.number}/envelope/ HTTP/1.1\r\nHost: localhost\r\n${framing}${sent}Connection: close\r\n\r\n${chunk}`,
  );
  expect(statusOf(await reply)).toBe(status);
});
