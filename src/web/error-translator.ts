import type { MessageParams } from '#locales/format-message.ts';
import type { I18n } from './i18n.ts';

/** Renders an error message in the language of the application; null for a key that is not loaded or does not exist. */
export function createErrorTranslator(i18n: I18n): (key: string, params: MessageParams) => string | null {
  return (key, params) => (i18n.exists('errors', key) ? i18n.translator('errors')(key, { ...params }) : null);
}
