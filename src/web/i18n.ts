import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Profile } from '#contract/account.ts';
import { loadScript } from './lazy-page.ts';
import { formatAge } from './parts/age.ts';
import { savePreferenceCookie } from './theme.ts';

/** The languages of the application. */
export type Language = Profile['preferences']['language'];

/** Every language by its own name, as a reader looks for it. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
};

const LANGUAGE_LOADERS: Record<Language, () => Promise<{ files: Record<string, Record<string, unknown>> }>> =
  {
    en: () => import('./languages/en.ts'),
    es: () => import('./languages/es.ts'),
    fr: () => import('./languages/fr.ts'),
    de: () => import('./languages/de.ts'),
  };

/** The texts of one language: feature → nested texts. */
async function loadTexts(language: Language): Promise<Record<string, Record<string, unknown>>> {
  const { files } = await loadScript(LANGUAGE_LOADERS[language]);
  return Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [/([\w-]+)\.json$/.exec(path)?.[1] ?? path, texts]),
  );
}

/** The texts in the language of the document, which the server takes from the cookie. */
export async function createAppI18n(): Promise<i18n> {
  const language = parseLanguage(document.documentElement.lang);
  const texts = await createI18n(language, await loadTexts(language));
  document.documentElement.lang = language;
  return texts;
}

/**
 * Texts of one language, feature → nested texts, ready for use. `{{age, ago}}` in a text is a time as its age, in
 * words of the language; older answers hold words already.
 */
export async function createI18n(
  language: Language,
  features: Record<string, Record<string, unknown>>,
  now: () => number = Date.now,
): Promise<i18n> {
  const texts = createInstance().use(initReactI18next);
  await texts.init({
    lng: language,
    resources: { [language]: features },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  texts.services.formatter?.add('ago', (at: string, tag = 'en') =>
    at === '' ? texts.t('parts:unknown_age') : (formatAge(at, now(), tag) ?? at),
  );
  return texts;
}

/** Loads a language where it is missing, shows it, and keeps the choice for the next visit. */
export async function applyLanguage(texts: i18n, language: Language): Promise<void> {
  if (!texts.hasResourceBundle(language, 'ui')) {
    for (const [feature, bundle] of Object.entries(await loadTexts(language))) {
      texts.addResourceBundle(language, feature, bundle);
    }
  }
  await texts.changeLanguage(language);
  document.documentElement.lang = language;
  savePreferenceCookie('language', language);
}

function parseLanguage(tag: string): Language {
  return tag in LANGUAGES ? (tag as Language) : 'en';
}
