import { expect, test } from 'vitest';
import de from '#locales/de/errors.json' with { type: 'json' };
import { inReadersWords } from './error-words.ts';

test.each([
  ['This username is taken.', 'Dieser Benutzername ist vergeben.'],
  ['Use at least 15 characters', 'Verwenden Sie mindestens 15 Zeichen'],
  ['bob is a member already.', 'bob ist schon Mitglied.'],
  [
    'The plan Free has room for 3 projects. Delete one, or choose a larger plan under Subscription.',
    'Der Plan Free hat Platz für 3 Projekte. Löschen Sie eines oder wählen Sie unter Abonnement einen größeren Plan.',
  ],
  ['A sentence that nobody has put into German.', 'A sentence that nobody has put into German.'],
  ['{{1}} is a member already.', '{{1}} ist schon Mitglied.'],
])('%s becomes %s', (sentence, words) => {
  expect(inReadersWords(sentence, de)).toBe(words);
});
