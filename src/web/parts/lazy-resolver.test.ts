import { expect, test } from 'vitest';
import { lazyResolver } from './lazy-resolver.ts';

test('a resolver that cannot be loaded is an error of the first field', async () => {
  const resolve = lazyResolver(() => Promise.reject(new Error('no server')));
  const options = { fields: {}, names: ['text' as const], shouldUseNativeValidation: false };
  const { errors } = await resolve({ text: 'a', more: 'b' }, undefined, options);
  expect(errors).toEqual({ text: { type: '', message: 'A script of the page could not be loaded' } });
});
