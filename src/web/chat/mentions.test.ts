import { expect, test } from 'vitest';
import { insertMention, mentionQuery } from './mentions.tsx';

test.each([
  ['why @src/app', 'src/app'],
  ['@', ''],
  ['see @a.ts:10-20', 'a.ts:10-20'],
  ['mail me@example.org', null],
  ['@done and more', null],
])('behind the @ of %j stands %j', (text, typed) => {
  expect(mentionQuery(text)).toBe(typed);
});

test('what is chosen takes the place of what was typed', () => {
  expect(insertMention('why @src/ap', '`src/app.ts`')).toBe('why `src/app.ts` ');
});
