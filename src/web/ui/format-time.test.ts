import { expect, test } from 'vitest';
import { formatShortDateTime, formatTimeAgo } from './format-time.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const before = (seconds: number) => formatTimeAgo(new Date(NOW - seconds * 1000).toISOString(), NOW, 'en');

test.each([
  [59, 'now'],
  [-5, 'now'],
  [60, { text: '1 minute ago' }],
  [59 * 60 + 59, { text: '59 minutes ago' }],
  [3600, { text: '1 hour ago' }],
  [86_399, { text: '23 hours ago' }],
  [86_400, { text: '1 day ago' }],
  [7 * 86_400 - 1, { text: '6 days ago' }],
])('%i seconds ago', (seconds, words) => {
  expect(before(seconds)).toEqual(words);
});

test('a time a week ago or earlier is formatted as a date', () => {
  expect(formatTimeAgo('2026-11-02T12:00:00Z', NOW, 'en')).toEqual({ text: 'Nov 2, 2026' });
  expect(formatTimeAgo('2026-11-02T12:00:00Z', NOW, 'de')).toEqual({ text: '02.11.2026' });
});

test('an invalid time yields null', () => {
  expect(formatTimeAgo('', NOW, 'en')).toBeNull();
  expect(formatShortDateTime('soon', 'en')).toBeNull();
});
