import { expect, test } from 'vitest';
import { attach, typedMention } from './mentions.tsx';

test.each([
  ['why @src/app', 'src/app'],
  ['@', ''],
  ['see @a.ts:10-20', 'a.ts:10-20'],
  ['mail me@example.org', null],
  ['@done and more', null],
])('behind the @ of %j stands %j', (text, typed) => {
  expect(typedMention(text)).toBe(typed);
});

test('what is chosen takes the place of what was typed', () => {
  expect(attach('why @src/ap', '`src/app.ts`')).toBe('why `src/app.ts` ');
});
