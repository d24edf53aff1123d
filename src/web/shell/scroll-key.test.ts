import { expect, test } from 'vitest';
import { scrollKey } from './scroll-key.ts';

test('a page that a tab loads has its address as its key, an entry of the history its own', () => {
  const page = { pathname: '/projects/1/files/a.js', search: '?view=blame', hash: '#L9', state: null };
  expect(scrollKey({ ...page, key: 'default' })).toBe('/projects/1/files/a.js?view=blame#L9');
  expect(scrollKey({ ...page, key: 'x7' })).toBe('x7');
});
