import type { Sentence } from '#contract/common.ts';
import german from '#locales/de/notifications.json' with { type: 'json' };
import english from '#locales/en/notifications.json' with { type: 'json' };
import spanish from '#locales/es/notifications.json' with { type: 'json' };
import french from '#locales/fr/notifications.json' with { type: 'json' };

/** What people are told of; each has a title and a message in `notifications.json` of every language. */
export type NotificationName = keyof typeof english.event;

const EVENTS = { en: english.event, de: german.event, es: spanish.event, fr: french.event };
type Language = keyof typeof EVENTS;

const LONGEST_PARAM = 300;

/**
 * Title or message of a notice, with its English text. As in the browser, `count` picks the form of a plural.
 * Backticks set the repository's words apart, so inside parameters they become `'`.
 */
export function createSentence(
  name: NotificationName,
  part: 'title' | 'message',
  params: Sentence['params'],
): Sentence {
  const safe = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, oneLine(value)]));
  const sentence = { code: `notifications.event.${name}.${part}`, params: safe, text: '' };
  return { ...sentence, text: renderSentence(sentence, 'en') };
}

/** A sentence of a notice, without the marks around the repository's words; the English text of any other. */
export function renderSentence({ code, params, text }: Sentence, language: Language): string {
  const [, , name = '', part = ''] = code.split('.');
  const forms = (EVENTS[language] as Record<string, Record<string, string>>)[name] ?? {};
  const plural = new Intl.PluralRules(language).select(Number(params.count));
  const words = forms[part] ?? forms[`${part}_${plural}`] ?? text;
  return words.replace(/\{\{(\w+)(?:, number)?\}\}/g, (_, key: string) => show(params[key], language));
}

function oneLine(value: string | number): string | number {
  if (typeof value === 'number') return value;
  return value.replaceAll('`', "'").replace(/\s+/g, ' ').slice(0, LONGEST_PARAM);
}

function show(value: string | number | undefined, language: Language): string {
  return typeof value === 'number' ? value.toLocaleString(language) : (value ?? '');
}
