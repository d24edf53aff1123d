import { expect, test } from 'vitest';
import { formatRelease } from './format-release.ts';

test('only full hashes are shortened', () => {
  const hash = '1d9f434c052b62a385822fbb3f08fd1e42b705c6';
  const names = [hash, `shop@${hash}`, 'shop@1.4.0', '1d9f434', `${hash}-dirty`];
  expect(names.map(formatRelease)).toEqual(['1d9f434', 'shop@1d9f434', 'shop@1.4.0', '1d9f434', names[4]]);
});
