import { expect, test } from 'vitest';
import { templatesIn } from '#locales/catalogs.ts';
import de from '#locales/de/errors.json' with { type: 'json' };
import en from '#locales/en/errors.json' with { type: 'json' };
import es from '#locales/es/errors.json' with { type: 'json' };
import { formatMessage, type MessageKey } from '#locales/format-message.ts';
import fr from '#locales/fr/errors.json' with { type: 'json' };
import { LANGUAGES } from '#locales/languages.ts';
import { createErrorTranslator } from './error-translator.ts';
import { createI18n } from './i18n.ts';

const ERRORS = { en, es, fr, de };
const translatorIn = (language: keyof typeof ERRORS) =>
  createErrorTranslator(createI18n(language, { errors: ERRORS[language] }));

test.each([
  ['username_taken', {}, 'Dieser Benutzername ist bereits vergeben.'],
  ['too_short', { minimum: 15 }, 'Verwenden Sie mindestens 15 Zeichen'],
  ['already_a_member', { username: 'bob' }, 'bob ist schon Mitglied.'],
  [
    'plan_project_limit_reached',
    { plan: 'Free', limit: 3 },
    'Der Tarif Free erlaubt 3 Projekte. Löschen Sie eines oder wählen Sie unter Abonnement einen größeren Tarif.',
  ],
  ['already_a_member', { username: '{{username}}' }, '{{username}} ist schon Mitglied.'],
])('%s with %j becomes %s', async (key, params, message) => {
  expect(translatorIn('de')(key, params)).toBe(message);
});

test.each(['', 'no_such_message', 'A sentence without a key.'])('%j has no message', async (key) => {
  expect(translatorIn('de')(key, {})).toBe(null);
});

test.each(LANGUAGES)(
  'every error reads the same from the browser and from the server in %s',
  async (language) => {
    const translate = translatorIn(language);
    const keys = Object.keys(ERRORS[language]);
    expect(keys.length).toBeGreaterThan(200);
    for (const key of keys) {
      const template = templatesIn(language).get(`errors.${key}`) ?? '';
      const names = Array.from(template.matchAll(/\{\{(\w+)/g), ([, name = '']) => name);
      const params = Object.fromEntries(names.map((name, index) => [name, 12_345 + index]));
      expect(translate(key, params), key).toBe(
        formatMessage(language, `errors.${key}` as MessageKey, params),
      );
    }
  },
);
