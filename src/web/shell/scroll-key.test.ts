import { expect, test } from 'vitest';
import { scrollKey } from './scroll-key.ts';

test('pages that a tab loads anew are told apart by their address, entries of the history by their key', () => {
  const page = { pathname: '/projects/1/files/a.js', search: '?view=blame', hash: '#L9', state: null };
  expect(scrollKey({ ...page, key: 'default' })).toBe('/projects/1/files/a.js?view=blame#L9');
  expect(scrollKey({ ...page, key: 'x7' })).toBe('x7');
});
