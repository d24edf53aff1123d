import { expect, test } from 'vitest';
import { errorFingerprint, maskVariableParts } from './fingerprint.ts';
import { parseTrace } from './read-trace.ts';

const of = (text: string) => errorFingerprint(parseTrace(text));
const error = (message: string, line: number, symbol = 'load') =>
  `TypeError: ${message}\n    at ${symbol} (/app/src/load.js:${line}:1)\n    at run (/app/src/run.js:5:2)`;

test('values, line numbers and folders do not change the fingerprint', () => {
  expect(of(error('user 17 has no "id"', 3))).toBe(of(error('user 4211 has no "name"', 90)));
  expect(of(error('no x', 3))).toBe(of(error('no x', 3).replaceAll('/app/', 'C:\\work\\')));
});

test('type, words and functions change the fingerprint', () => {
  const all = [
    error('no id', 3),
    error('no name', 3),
    error('no id', 3, 'save'),
    `Range${error('no id', 3).slice(4)}`,
  ];
  expect(new Set(all.map(of)).size).toBe(all.length);
});

test.each([
  ['Timeout after 30.5 s for https://a.test/x?y=1', 'timeout after • s for •'],
  ['No file /home/ada/x.txt at 0xdeadbeef', 'no file • at •'],
  ['commit 0123456789abcdef is missing', 'commit • is missing'],
])('%j is %j without its values', (message, words) => {
  expect(maskVariableParts(message)).toBe(words);
});

test('hostile messages take linear time', () => {
  for (const part of ['/', 'a/', '"', '0x', 'a-', "'`", 'https://'])
    expect(maskVariableParts(part.repeat(500)).length).toBeGreaterThan(0);
});
