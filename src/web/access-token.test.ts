import { expect, test } from 'vitest';
import { safeNextPath } from './access-token.ts';

test('the page opened after sign-in is on this origin', () => {
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
