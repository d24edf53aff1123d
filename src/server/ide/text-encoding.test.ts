import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFileText, detectEncoding, encodeText } from './text-encoding.ts';

test('any text is decoded and encoded to the same bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const marked = fc.tuple(fc.constantFrom([0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf], []), bytes);
  fc.assert(
    fc.property(marked, ([mark, rest]) => {
      const content = Buffer.concat([Buffer.from(mark), rest]);
      const encoding = detectEncoding(content);
      if (encoding === null) return content.includes(0);
      return encodeText(decodeFileText(content, encoding), encoding)?.equals(content) ?? false;
    }),
  );
});

test.each([
  ['café\n', Buffer.from('café\n'), 'utf-8'],
  ['café\n', Buffer.from([0x63, 0x61, 0x66, 0xe9, 10]), 'windows-1252'],
  ['“1 €”', Buffer.from([0x93, 0x31, 0x20, 0x80, 0x94]), 'windows-1252'],
  ['\ufeffé', Buffer.from([0xff, 0xfe, 0xe9, 0]), 'utf-16le'],
  ['\ufeffé', Buffer.from([0xfe, 0xff, 0, 0xe9]), 'utf-16be'],
] as const)('%j is %s', (text, bytes, encoding) => {
  expect(detectEncoding(bytes)).toBe(encoding);
  expect(decodeFileText(bytes, encoding)).toBe(text);
});

test('a character that the encoding lacks is refused', () => {
  expect(encodeText('日', 'windows-1252')).toBeNull();
});

test('a file with a zero byte is binary', () => {
  expect(detectEncoding(Buffer.from([0x89, 0x50, 0, 0, 1]))).toBeNull();
});
