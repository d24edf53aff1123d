import { expect, test } from 'vitest';
import { shortenHash, splitBackticks, splitHidden } from './repository-text.ts';

test('a bidirectional override is cut out and named', () => {
  expect(splitHidden('if (admin\u202e) {')).toEqual([
    { text: 'if (admin' },
    { hidden: 'U+202E' },
    { text: ') {' },
  ]);
});

test('tag characters beyond the basic plane are named by their code point', () => {
  expect(splitHidden('\u{e0041}')).toEqual([{ hidden: 'U+E0041' }]);
});

test('tabs, newlines and letters of any script are left as they are', () => {
  const text = '\tdéjà vu\nпривет 你好 👍';
  expect(splitHidden(text)).toEqual([{ text }]);
});

test('backticks mark the words of the repository', () => {
  expect(splitBackticks('`builtin_str` replaced `to_native_string` here')).toEqual([
    { text: 'builtin_str', repository: true },
    { text: ' replaced ', repository: false },
    { text: 'to_native_string', repository: true },
    { text: ' here', repository: false },
  ]);
});

test('an unpaired backtick stays a character', () => {
  expect(splitBackticks('a `b` c ` d')).toEqual([
    { text: 'a ', repository: false },
    { text: 'b', repository: true },
    { text: ' c ` d', repository: false },
  ]);
  expect(splitBackticks('one ` only')).toEqual([{ text: 'one ` only', repository: false }]);
});

test('a hash is shown by seven digits, its suffix stays, and other words are left alone', () => {
  expect(shortenHash('2a6f290bc093')).toBe('2a6f290');
  expect(shortenHash('2a6f290bc093^')).toBe('2a6f290^');
  expect(shortenHash('2a6f290')).toBe('2a6f290');
  expect(shortenHash('deadbeefcafe')).toBe('deadbeefcafe');
  expect(shortenHash('src/2a6f290bc093.js')).toBe('src/2a6f290bc093.js');
});
