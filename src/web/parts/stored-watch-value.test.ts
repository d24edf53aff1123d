import { expect, test } from 'vitest';
import { storedWatchValue } from './stored-watch-value.ts';

test.each([
  ['path', 'src/', 'src'],
  ['path', ' ./src/read/csv.js', 'src/read/csv.js'],
  ['author', ' Ada ', 'Ada'],
  ['query', '/time(out)?_ms/', '/time(out)?_ms/'],
] as const)('a %s %j is stored as %j', (kind, value, stored) => {
  expect(storedWatchValue({ kind, value })).toBe(stored);
});
