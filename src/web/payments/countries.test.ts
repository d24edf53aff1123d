import { expect, test } from 'vitest';
import { listCountries } from './countries.ts';

test('countries are those in force, by their names in the language of the reader', () => {
  const german = listCountries('de');
  expect(german).toContainEqual({ code: 'AT', name: 'Österreich' });
  expect(german.slice(0, 2).map(({ code }) => code)).toEqual(['AF', 'EG']);
  const codes = listCountries('en').map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['DE', 'FR', 'GB', 'IN', 'US']));
  for (const code of ['UK', 'DD', 'SU', 'EU', 'ZZ', 'UN', 'XA']) expect(codes).not.toContain(code);
  expect(new Set(listCountries('en').map(({ name }) => name)).size).toBe(codes.length);
});

test('a stored code that is no country stays among them', () => {
  expect(listCountries('en', 'UK').at(-1)).toEqual({ code: 'UK', name: 'UK' });
  expect(listCountries('en', 'DE')).toHaveLength(listCountries('en').length);
});
