import { expect, test } from 'vitest';
import { requireStrongPassword } from './common-passwords.ts';

const account = { username: 'lovelace', email: 'ada.l@example.org' };
const isRefused = (password: string, passwordMinLength = 8) => {
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
])('%s is refused', (password) => {
  expect(isRefused(password)).toBe(true);
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
])('%s is taken', (password) => {
  expect(isRefused(password)).toBe(false);
});

test('a word that is common is refused with every year and sign behind it: far more than three thousand', () => {
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
  const tried = words.flatMap((word) => endings.map((ending) => word + ending));
  expect(tried.length).toBeGreaterThan(3000);
  expect(tried.filter((password) => !isRefused(password))).toEqual([]);
});

test('an operator may ask for more characters, which are counted as people see them', () => {
  expect([isRefused('tr0mbone-lilac', 15), isRefused('tr0mbone-lilac', 14)]).toEqual([true, false]);
  expect(isRefused('🌊🌊🏔🌲🌾🌿🍂🍁', 8)).toBe(false);
});
