import { expect, test } from 'vitest';
import { requireStrongPassword } from './common-passwords.ts';

const account = { username: 'lovelace', email: 'ada.l@example.org' };
const isRejected = (password: string, passwordMinLength = 8) => {
  try {
    requireStrongPassword({ passwordMinLength }, 'password', password, account);
    return false;
  } catch {
    return true;
  }
};

test.each([
  ...[
    'password',
    'Password1',
    'P@ssw0rd!',
    'pa$$word123',
    'passwort2026',
    'letmein!!',
    'iloveyou',
    'Dragon2024!',
  ],
  ...['qwertyuiop', 'poiuytrewq', '1qaz2wsx', 'asdfghjkl', 'qwertyasdf', 'azertyuiop', '1q2w3e4r'],
  ...['12345678', '87654321', '11111111', 'abcdefgh', '12121212', 'abcabcabc', 'monkeymonkey', 'trustno1'],
  ...['hindsight1', 'Lovelace!1', 'ada.l@example.org', 'ada.l2026', 'liverpool1', 'm1ch43l99', 'sunsh1ne'],
])('%s is rejected', (password) => {
  expect(isRejected(password)).toBe(true);
});

test.each([
  ...['a quiet harbour at dawn', 'correct horse battery', 'tr0mbone-lilac', 'xkcd-936-rules', 'V8;kq2!mZ'],
  ...[
    'dragon of the north',
    'password manager here',
    'lovelace-and-babbage',
    'неочевидный пароль',
    '  spaces  kept ',
  ],
])('%s is accepted', (password) => {
  expect(isRejected(password)).toBe(false);
});

test('common words with a year and a symbol appended are rejected', () => {
  const words = [
    'password',
    'dragon',
    'monkey',
    'football',
    'sunshine',
    'princess',
    'welcome',
    'master',
    'shadow',
  ];
  const endings = Array.from({ length: 400 }, (_, index) => `${index + 1700}`).flatMap((year) => [
    year,
    `${year}!`,
  ]);
  const candidates = words.flatMap((word) => endings.map((ending) => word + ending));
  expect(candidates.length).toBeGreaterThan(3000);
  expect(candidates.filter((password) => !isRejected(password))).toEqual([]);
});

test('the minimum length is configurable and counts code points', () => {
  expect([isRejected('tr0mbone-lilac', 15), isRejected('tr0mbone-lilac', 14)]).toEqual([true, false]);
  expect(isRejected('🌊🌊🏔🌲🌾🌿🍂🍁', 8)).toBe(false);
});
