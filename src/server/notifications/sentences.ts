import type { Sentence } from '#contract/common.ts';
import english from '#locales/en/notifications.json' with { type: 'json' };

/** What people are told of; each has a title and a message in `notifications.json` of every language. */
export type NoticeName = keyof typeof english.event;

const PLURAL = new Intl.PluralRules('en');
const LONGEST_PARAM = 300;

/**
 * Title or message of a notice, with its English text. As in the browser, `count` picks the form of a plural.
 * Backticks set the repository's words apart, so inside parameters they become `'`.
 */
export function say(name: NoticeName, part: 'title' | 'message', params: Sentence['params']): Sentence {
  const forms: Record<string, string> = english.event[name];
  const text = forms[part] ?? forms[`${part}_${PLURAL.select(Number(params.count))}`] ?? '';
  const safe = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, oneLine(value)]));
  return {
    code: `notifications.event.${name}.${part}`,
    params: safe,
    text: text.replace(/\{\{(\w+)(?:, number)?\}\}/g, (_, key: string) => show(safe[key])),
  };
}

function oneLine(value: string | number): string | number {
  if (typeof value === 'number') return value;
  return value.replaceAll('`', "'").replace(/\s+/g, ' ').slice(0, LONGEST_PARAM);
}

function show(value: string | number | undefined): string {
  return typeof value === 'number' ? value.toLocaleString('en') : (value ?? '');
}
