import { expect, test } from 'vitest';
import { serializeReply } from './serialize-reply.ts';

test('a reply within its limit is serialized to JSON', () => {
  const reply = { a: [1, 'two', null, { b: true }], __proto__: null };
  expect(serializeReply(reply)).toBe(JSON.stringify(reply));
});

test.each([
  ['a long text', { text: 'x'.repeat(1001) }],
  ['a text that grows by escapes', { text: '\u0001'.repeat(200) }],
  ['a long list', Array.from({ length: 1001 }, () => 0)],
  ['long names', { ['n'.repeat(1001)]: 1 }],
  ['what is deep', Array.from({ length: 300 }, (_, i) => ({ level: { of: { number: i } } }))],
])('%s beyond the limit is refused in words', (_name, reply) => {
  expect(() => serializeReply(reply, 1000)).toThrow(
    expect.objectContaining({ code: 'too_large', reason: 'response_too_large' }),
  );
});

test('a reply of a gigabyte is refused before it is serialized', () => {
  const part = 'x'.repeat(2 ** 20);
  const before = process.memoryUsage().rss;
  expect(() => serializeReply(Array.from({ length: 1024 }, () => part))).toThrow(/4 MiB/);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});
