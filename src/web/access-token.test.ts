import { expect, test } from 'vitest';
import { safeNextPath } from './access-token.ts';

test('after signing in the reader comes back to a page of this server', () => {
  expect(safeNextPath('/projects/7?tab=chat#last')).toBe('/projects/7?tab=chat#last');
  expect(safeNextPath(null)).toBe('/');
});

test.each([
  'https://evil.example/',
  '//evil.example/projects',
  '/.//evil.example/',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '',
])('never goes to %j', (next) => {
  expect(safeNextPath(next)).toBe('/');
});
