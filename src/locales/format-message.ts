import { type MessageKey, templatesIn } from './catalogs.ts';
import { fillPlaceholders, findPluralForm } from './fill-placeholders.ts';
import { formatAge } from './format-age.ts';
import type { Language } from './languages.ts';

export type { MessageKey } from './catalogs.ts';

/** Values of a message's placeholders; `count` selects the plural form. */
export type MessageParams = Readonly<Record<string, string | number>>;

/**
 * Renders a message of the locale files, as `web/i18n.ts` does in the browser.
 * Placeholders: `{{name}}`, `{{count, number}}` with digit grouping, `{{age, ago}}` for an ISO 8601 time as its age at `now`,
 * `{{reason, message}}` for the message of a key, with the same parameters.
 */
export function formatMessage(
  language: Language,
  key: MessageKey,
  params: MessageParams = {},
  now: number = Date.now(),
): string {
  const template = findTemplate(language, key, params.count) ?? findTemplate('en', key, params.count) ?? key;
  return fillPlaceholders(template, params, (value, format) =>
    format === 'message' && isMessageKey(String(value))
      ? formatMessage(language, String(value) as MessageKey, params, now)
      : formatParam(value, format, language, now),
  );
}

/** True when the locale files have a message of this key; stored messages may have keys of older versions. */
export function isMessageKey(key: string): key is MessageKey {
  return findTemplate('en', key, 1) !== undefined;
}

function findTemplate(
  language: Language,
  key: string,
  count: string | number | undefined,
): string | undefined {
  return findPluralForm(templatesIn(language), key, count, language);
}

function formatParam(value: unknown, format: string | undefined, language: Language, now: number): string {
  if (format === 'number') return Number(value).toLocaleString(language);
  if (format === 'ago') {
    const unknown = value === '' ? formatMessage(language, 'parts.unknown_time') : String(value);
    return formatAge(String(value), now, language) ?? unknown;
  }
  return String(value);
}
