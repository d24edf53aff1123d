import type { Sentence } from '#contract/common.ts';
import german from '#locales/de/notifications.json' with { type: 'json' };
import english from '#locales/en/notifications.json' with { type: 'json' };
import spanish from '#locales/es/notifications.json' with { type: 'json' };
import french from '#locales/fr/notifications.json' with { type: 'json' };

/** Keys of the events in `notifications.json`; each has a title and a message in every language. */
export type NotificationName = keyof typeof english.event;

const EVENT_TEXTS = { en: english.event, de: german.event, es: spanish.event, fr: french.event };
type Language = keyof typeof EVENT_TEXTS;

const MAX_PARAM_LENGTH = 300;

/**
 * Title or message of a notification with its English text. `count` selects the plural form, as in the browser.
 * Backticks delimit repository text, so in parameters they become `'`.
 */
export function createSentence(
  name: NotificationName,
  part: 'title' | 'message',
  params: Sentence['params'],
): Sentence {
  const safeParams = Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, sanitizeParam(value)]),
  );
  const sentence = { code: `notifications.event.${name}.${part}`, params: safeParams, text: '' };
  return { ...sentence, text: renderSentence(sentence, 'en') };
}

/** Renders a sentence in a language, without backticks; unknown codes return the English text. */
export function renderSentence({ code, params, text }: Sentence, language: Language): string {
  const [, , name = '', part = ''] = code.split('.');
  const forms = (EVENT_TEXTS[language] as Record<string, Record<string, string>>)[name] ?? {};
  const plural = new Intl.PluralRules(language).select(Number(params.count));
  const template = forms[part] ?? forms[`${part}_${plural}`] ?? text;
  return template.replace(/\{\{(\w+)(?:, number)?\}\}/g, (_, key: string) =>
    formatParam(params[key], language),
  );
}

function sanitizeParam(value: string | number): string | number {
  if (typeof value === 'number') return value;
  return value.replaceAll('`', "'").replace(/\s+/g, ' ').slice(0, MAX_PARAM_LENGTH);
}

function formatParam(value: string | number | undefined, language: Language): string {
  return typeof value === 'number' ? value.toLocaleString(language) : (value ?? '');
}
