import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { generateTotp } from './testing-authenticator.ts';
import { generateTotpSecret, totpUri, verifyTotp } from './totp.ts';

/** Secret of RFC 6238, appendix B. */
const RFC_KEY = Secret.fromLatin1('12345678901234567890').base32;

/** Last six of the eight digits in appendix B. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %d seconds the RFC 6238 code is %s', (seconds, code) => {
  const now = new Date(seconds * 1000);
  expect(generateTotp(RFC_KEY, now)).toBe(code);
  expect(verifyTotp(RFC_KEY, code, now)).toBe(Math.floor(seconds / 30));
});

test('a code is accepted one step early or late', () => {
  const secret = generateTotpSecret();
  const now = new Date('2026-03-01T12:00:10Z');
  const verifyAtOffset = (steps: number) =>
    verifyTotp(secret, generateTotp(secret, new Date(now.getTime() + steps * 30_000)), now);
  const currentStep = Math.floor(now.getTime() / 30_000);
  expect([-2, -1, 0, 1, 2].map(verifyAtOffset)).toEqual([
    null,
    currentStep - 1,
    currentStep,
    currentStep + 1,
    null,
  ]);
});

test('a secret has 160 bits, and its URI contains issuer and account', () => {
  const secret = generateTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(generateTotpSecret()).not.toBe(secret);
  const uri = new URL(totpUri(secret, 'ada@example.org'));
  expect(uri.protocol + uri.host).toBe('otpauth:totp');
  expect(decodeURIComponent(uri.pathname)).toBe('/Hindsight:ada@example.org');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: secret,
    issuer: 'Hindsight',
    digits: '6',
    period: '30',
  });
});
