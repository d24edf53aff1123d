import { expect, test } from 'vitest';
import { ageBucket, formatRelativeTime } from './age.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['2026-11-20T11:59:00Z', 'today'],
  ['2026-11-19T11:59:00Z', 'month'],
  ['2026-10-20T12:00:00Z', 'year'],
  ['2025-11-20T12:00:00Z', 'three_years'],
  ['2023-11-20T12:00:00Z', 'older'],
  ['1970-01-01T00:00:00Z', 'older'],
  ['2031-01-01T00:00:00Z', 'today'],
  ['', null],
  ['yesterday', null],
])('%s is of the age %s', (timestamp, age) => {
  expect(ageBucket(timestamp, NOW)).toBe(age);
});

test.each([
  ['2013-11-19T12:00:00Z', 'en', '13 years ago'],
  ['2026-08-20T12:00:00Z', 'en', '3 months ago'],
  ['2026-11-19T11:00:00Z', 'en', 'yesterday'],
  ['2026-11-20T09:00:00Z', 'de', 'vor 3 Stunden'],
  ['2026-11-20T11:59:50Z', 'en', 'this minute'],
  ['2027-01-01T00:00:00Z', 'en', 'this minute'],
  ['', 'en', null],
])('%s in %s is %s', (timestamp, language, words) => {
  expect(formatRelativeTime(timestamp, NOW, language)).toBe(words);
});
