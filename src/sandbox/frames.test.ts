import { expect, test } from 'vitest';
import { createFrameReader, encodeFrame } from './frames.ts';

function read(chunks: Buffer[], maxBytes = 1000) {
  const seen: unknown[] = [];
  const reader = createFrameReader<object>({
    maxBytes,
    onMessage: (message) => seen.push(message),
    onInvalid: (why) => seen.push(why),
  });
  chunks.forEach(reader);
  return seen;
}

const MESSAGES = [{ a: 'é' }, {}, { b: ['x'.repeat(300)] }];
const BYTES = Buffer.concat(MESSAGES.map(encodeFrame));

test.each([1, 2, 3, 7, 400, 10_000])('messages arrive whole in pieces of %i bytes', (size) => {
  const pieces = Array.from({ length: Math.ceil(BYTES.length / size) }, (_, i) =>
    BYTES.subarray(i * size, (i + 1) * size),
  );
  expect(read(pieces)).toEqual(MESSAGES);
});

test.each([
  ['text', Buffer.from('Hello, world'), 'invalid'],
  ['a length above the limit', encodeFrame({ a: 'x'.repeat(2000) }), 'too_large'],
  ['a number', Buffer.from('\0\0\0\x011'), 'invalid'],
  ['half a value', Buffer.from('\0\0\0\x02{"'), 'invalid'],
])('%s is no message, and nothing after it is read', (_, bytes, why) => {
  expect(read([encodeFrame({}), bytes, BYTES])).toEqual([{}, why]);
});
