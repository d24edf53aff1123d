import { expect, test } from 'vitest';
import { shortenHash, splitBackticks, splitHidden } from './repository-text.ts';

test('a bidirectional override is replaced by its code point', () => {
  expect(splitHidden('if (admin\u202e) {')).toEqual([
    { text: 'if (admin' },
    { hidden: 'U+202E' },
    { text: ') {' },
  ]);
});

test('tag characters of plane 14 are replaced by their code point', () => {
  expect(splitHidden('\u{e0041}')).toEqual([{ hidden: 'U+E0041' }]);
});

test('tabs, newlines and letters of any script are unchanged', () => {
  const text = '\tdéjà vu\nпривет 你好 👍';
  expect(splitHidden(text)).toEqual([{ text }]);
});

test('backticks delimit repository text', () => {
  expect(splitBackticks('`builtin_str` replaced `to_native_string` here')).toEqual([
    { text: 'builtin_str', repository: true },
    { text: ' replaced ', repository: false },
    { text: 'to_native_string', repository: true },
    { text: ' here', repository: false },
  ]);
});

test('an unpaired backtick is a plain character', () => {
  expect(splitBackticks('a `b` c ` d')).toEqual([
    { text: 'a ', repository: false },
    { text: 'b', repository: true },
    { text: ' c ` d', repository: false },
  ]);
  expect(splitBackticks('one ` only')).toEqual([{ text: 'one ` only', repository: false }]);
});

test('a hash is shortened to seven digits with its suffix; other text is unchanged', () => {
  expect(shortenHash('2a6f290bc093')).toBe('2a6f290');
  expect(shortenHash('2a6f290bc093^')).toBe('2a6f290^');
  expect(shortenHash('2a6f290')).toBe('2a6f290');
  expect(shortenHash('deadbeefcafe')).toBe('deadbeefcafe');
  expect(shortenHash('src/2a6f290bc093.js')).toBe('src/2a6f290bc093.js');
});
