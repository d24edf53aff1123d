import { expect, test } from 'vitest';
import { formatAge, formatDays } from './format-age.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

test.each([
  [0, 'today'],
  [1, '1 day ago'],
  [29, '29 days ago'],
  [30, '1 month ago'],
  [364, '12 months ago'],
  [365, '1 year ago'],
  [13 * 365.25 + 300, '13 years ago'],
])('%d days are %s: whole units, as on the pages', (days, words) => {
  expect(formatAge(daysAgo(days), NOW, 'en')).toBe(words);
});

test.each([
  ['es', 'hoy', 'hace 3 meses', '3 meses'],
  ['fr', 'aujourd’hui', 'il y a 3 mois', '3\u00a0mois'],
  ['de', 'heute', 'vor 3 Monaten', '3 Monate'],
])('ages and durations in %s', (language, today, ago, duration) => {
  expect(formatAge(daysAgo(0), NOW, language)).toBe(today);
  expect(formatAge(daysAgo(100), NOW, language)).toBe(ago);
  expect(formatDays(100, language)).toBe(duration);
});

test('a duration below a day is in hours', () => {
  expect([0, 0.3, 0.99, 1.2].map((days) => formatDays(days, 'en'))).toEqual([
    '1 hour',
    '7 hours',
    '23 hours',
    '1 day',
  ]);
});

test('a broken time has no age, and a future one is today', () => {
  expect(formatAge('never', NOW, 'en')).toBe(null);
  expect(formatAge(daysAgo(-2), NOW, 'en')).toBe('today');
});
