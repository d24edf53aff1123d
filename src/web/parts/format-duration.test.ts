import { expect, test } from 'vitest';
import { formatDuration } from './format-duration.ts';

test('milliseconds become seconds from one second on, with the separators of the language', () => {
  expect([0, 12.4, 999, 999.6, 2_618, 1_234_000].map((ms) => formatDuration(ms, 'en'))).toEqual([
    ...['0\u00a0ms', '12\u00a0ms', '999\u00a0ms', '1\u00a0s', '2.6\u00a0s', '1,234\u00a0s'],
  ]);
  expect(formatDuration(2_618, 'de')).toBe('2,6\u00a0s');
});
