import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { generateTotp, generateTotpSecret, totpUri, verifyTotp } from './totp.ts';

/** The key of RFC 6238, appendix B. */
const RFC_KEY = Secret.fromLatin1('12345678901234567890').base32;

/** The last six of the eight digits of appendix B. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %d seconds the code of RFC 6238 is %s', (seconds, code) => {
  const now = new Date(seconds * 1000);
  expect(generateTotp(RFC_KEY, now)).toBe(code);
  expect(verifyTotp(RFC_KEY, code, now)).toBe(Math.floor(seconds / 30));
});

test('a code is taken one step early and one late, and no further', () => {
  const key = generateTotpSecret();
  const now = new Date('2026-03-01T12:00:10Z');
  const stepAway = (steps: number) =>
    verifyTotp(key, generateTotp(key, new Date(now.getTime() + steps * 30_000)), now);
  const present = Math.floor(now.getTime() / 30_000);
  expect([-2, -1, 0, 1, 2].map(stepAway)).toEqual([null, present - 1, present, present + 1, null]);
});

test('a key has 160 bits, and its address names issuer and account', () => {
  const key = generateTotpSecret();
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  expect(generateTotpSecret()).not.toBe(key);
  const uri = new URL(totpUri(key, 'ada@example.org'));
  expect(uri.protocol + uri.host).toBe('otpauth:totp');
  expect(decodeURIComponent(uri.pathname)).toBe('/Hindsight:ada@example.org');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: key,
    issuer: 'Hindsight',
    digits: '6',
    period: '30',
  });
});
