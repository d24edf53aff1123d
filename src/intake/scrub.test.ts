import { expect, test } from 'vitest';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import type { ErrorEvent } from './error-event.ts';
import { scrubEvent } from './scrub.ts';

const RULES = { defaults: true, fields: [] };
const event = (fields: Partial<ErrorEvent>): ErrorEvent => ({
  ...{
    id: 'a',
    source: 'sentry',
    platform: 'node',
    at: '',
    level: 'error',
    message: null,
    exceptions: [],
    tags: {},
  },
  ...{ breadcrumbs: [], contexts: {}, extra: {}, debugImages: [] },
  ...fields,
});
const scrub = (message: string, rules: Parameters<typeof scrubEvent>[1] = RULES) =>
  scrubEvent(event({ message }), rules).message;

test.each([
  ['login of ada.l+x@mail.example.co.uk failed', 'login of [Filtered] failed'],
  ['from 203.0.113.77:443 and 2001:db8::8a2e:370:7334', 'from [Filtered]:443 and [Filtered]'],
  ['connect ECONNREFUSED 127.0.0.1:5432, ::1', 'connect ECONNREFUSED 127.0.0.1:5432, ::1'],
  ['card 4111 1111 1111 1111 declined', 'card [Filtered] declined'],
  ['order 4111 1111 1111 1112 declined', 'order 4111 1111 1111 1112 declined'],
  ['password=hunter2&user=7', 'password=[Filtered]&user=7'],
  ['{"api_key": "abc", "id": 3}', '{"api_key": [Filtered], "id": 3}'],
  ['Authorization: Bearer abcdefghijk\nAccept: */*', 'Authorization: [Filtered]\nAccept: */*'],
  ['sent Bearer abcdefghijk', 'sent Bearer [Filtered]'],
  ['Cookie: a=b; c=d', 'Cookie: [Filtered]'],
  [
    'GET https://api.example/cart?id=7&session=abc HTTP/1.1',
    'GET https://api.example/cart?[Filtered] HTTP/1.1',
  ],
  ['postgres://shop:s3cret@db.internal/shop', 'postgres://[Filtered]@db.internal/shop'],
  ['key eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def', 'key [Filtered]'],
  ['ghp_0123456789abcdefghijABCDEFGHIJ012345 expired', '[Filtered] expired'],
  ['AKIAIOSFODNN7EXAMPLE', '[Filtered]'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----!', '[Filtered]!'],
  ['Chrome 120.0.6099.109 in std::vector at 12:30:45', 'Chrome 120.0.6099.109 in std::vector at 12:30:45'],
  [
    "Cannot read properties of undefined (reading 'token')",
    "Cannot read properties of undefined (reading 'token')",
  ],
  ['unexpected token: )', 'unexpected token: )'],
  ['Dead::Beef in 1::2', 'Dead::Beef in [Filtered]'],
])('%j', (text, scrubbed) => {
  expect(scrub(text)).toBe(scrubbed);
});

test('fields are removed by their names, in code only literal secrets', () => {
  const frames = [
    {
      path: 'a.py',
      line: 1,
      text: "password = request.form['password']",
      before: ["key = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'"],
    },
  ];
  const scrubbed = scrubEvent(
    event({
      tags: { region: 'eu', session_id: 'abc', 'user.email': 'x' },
      extra: { db_password: 'x', author: 'Ada', state: '{"secret":"y"}' },
      breadcrumbs: [{ message: 'POST /login?next=a' }],
      exceptions: [{ type: 'E', value: 'a@b.co', frames }],
    }),
    RULES,
  );
  expect(scrubbed).toMatchObject({
    tags: { region: 'eu', session_id: '[Filtered]', 'user.email': '[Filtered]' },
    extra: { db_password: '[Filtered]', author: 'Ada', state: '{"secret":[Filtered]}' },
    breadcrumbs: [{ message: 'POST /login?[Filtered]' }],
    exceptions: [
      {
        value: '[Filtered]',
        frames: [{ text: "password = request.form['password']", before: ["key = '[Filtered]'"] }],
      },
    ],
  });
});

test('a project can add fields, and turn the defaults off', () => {
  expect(scrub('tenant=acme, plan=pro a@b.co', { defaults: true, fields: ['Tenant'] })).toBe(
    'tenant=[Filtered], plan=pro [Filtered]',
  );
  expect(scrub('tenant=acme a@b.co', { defaults: false, fields: ['tenant'] })).toBe(
    'tenant=[Filtered] a@b.co',
  );
  expect(scrub('password=x a@b.co', { defaults: false, fields: [] })).toBe('password=x a@b.co');
});

test('the time is linear in the text, whatever it is made of', async () => {
  const pieces = [
    'a',
    'a.',
    '1-',
    ':',
    '=',
    'password=',
    '@',
    'a@',
    '://',
    '/?',
    '1.1.',
    'eyJ',
    'Bearer ',
    '-----BEGIN PRIVATE KEY-----',
    ' "',
  ];
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(8_192 / piece.length)).slice(0, 8_192);
    const ms = await measureCpuMs(() => scrub(text, { defaults: true, fields: ['x'] }));
    expect(ms, piece).toBeLessThan(150);
  }
});
