import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '#locales/languages.ts';
import { loadScript } from './lazy-page.ts';
import { formatRelativeTime } from './parts/age.ts';
import { savePreferenceCookie } from './theme.ts';

/** Native names of the languages. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
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

/** Creates i18n in the language of the document, which the server sets from the cookie. */
export async function createAppI18n(): Promise<i18n> {
  const language = parseLanguage(document.documentElement.lang);
  const texts = await createI18n(language, await loadTexts(language));
  document.documentElement.lang = language;
  return texts;
}

/**
 * Creates i18n for one language from texts by feature. `{{age, ago}}` formats a timestamp as an age; older answers
 * hold formatted text.
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
    // React escapes values.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  texts.services.formatter?.add('ago', (at: string, tag = 'en') =>
    at === '' ? texts.t('parts:unknown_time') : (formatRelativeTime(at, now(), tag) ?? at),
  );
  return texts;
}

/** Loads a language if needed, applies it and stores the choice. */
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
  return tag in LANGUAGE_NAMES ? (tag as Language) : 'en';
}
