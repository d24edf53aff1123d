import { expect, test } from 'vitest';
import { insertMention, mentionQuery } from './mentions.tsx';

test.each([
  ['why @src/app', 'src/app'],
  ['@', ''],
  ['see @a.ts:10-20', 'a.ts:10-20'],
  ['mail me@example.org', null],
  ['@done and more', null],
])('the mention query of %j is %j', (text, typed) => {
  expect(mentionQuery(text)).toBe(typed);
});

test('the chosen mention replaces the typed text', () => {
  expect(insertMention('why @src/ap', '`src/app.ts`')).toBe('why `src/app.ts` ');
});
