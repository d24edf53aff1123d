import { expect, test } from 'vitest';
import { formatMessage, isMessageKey } from './format-message.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ago = (days: number) => new Date(NOW - days * 86_400_000).toISOString();

test.each([
  ['en', 'Changed `a.ts`, 1 month ago.'],
  ['es', 'hace 1 mes'],
  ['fr', 'il y a 1 mois'],
  ['de', 'vor 1 Monat'],
] as const)('a message in %s with its placeholders filled', (language, text) => {
  const params = { path: 'a.ts', age: ago(40) };
  expect(formatMessage(language, 'debug.why.suspect_file', params, NOW)).toContain(text);
});

test.each([
  ['en', 1, '1 file'],
  ['en', 2, '2 files'],
  ['fr', 0, '0 fichier'],
  ['de', 7, '7 Dateien'],
] as const)('the plural form of %s for %d', (language, count, text) => {
  expect(formatMessage(language, 'answers.files', { count })).toBe(text);
});

test('an age without a time is unknown, and one that is no time is shown as it is', () => {
  const text = (age: string) => formatMessage('en', 'debug.why.suspect_message', { age }, NOW);
  expect(text('')).toContain('at an unknown time');
  expect(text('long ago')).toContain('long ago');
});

test('values are inserted as they are, and missing ones as nothing', () => {
  const path = '$& {{line}}';
  expect(formatMessage('en', 'debug.cause.place_only', { path })).toContain('`$& {{line}}`');
  expect(formatMessage('en', 'debug.cause.place_only')).toContain('``');
});

test('a key is a message, a plural or neither', () => {
  expect(isMessageKey('debug.why.frame')).toBe(true);
  expect(isMessageKey('answers.files')).toBe(true);
  expect(isMessageKey('debug.why')).toBe(false);
  expect(isMessageKey('debug.why.no_such_reason')).toBe(false);
});
