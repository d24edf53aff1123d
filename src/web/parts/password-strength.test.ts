import { expect, test } from 'vitest';
import { passwordStrength } from './password-strength.ts';

test.each([
  ['', 'short'],
  ['Tr0ub4d', 'short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefgh12345678', 'weak'],
  ['password', 'weak'],
  ['Kw7#pz9Q', 'fair'],
  ['correct horse battery staple', 'strong'],
])('%j is %s', (password, strength) => {
  expect(passwordStrength(password, 8)).toBe(strength);
});

test("a password below the server's minimum is short", () => {
  expect(passwordStrength('Kw7#pz9Q', 15)).toBe('short');
});
