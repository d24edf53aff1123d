import type { i18n } from 'i18next';
import type { MessageParams } from '#locales/format-message.ts';

/** Renders an error message in the language of the application; null for a key that the locale files lack. */
export function createErrorTranslator(texts: i18n): (key: string, params: MessageParams) => string | null {
  return (key, params) =>
    texts.exists(key, { ns: 'errors' }) ? texts.t(key, { ...params, ns: 'errors' }) : null;
}
