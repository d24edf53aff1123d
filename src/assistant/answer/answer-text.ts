import { formatMessage, type MessageKey, type MessageParams } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';

/** Language and time of an answer. */
export interface AnswerLocale {
  /** English when absent: models and MCP clients read the results of tools. */
  language?: Language;
  /** Seconds since 1970. */
  now: number;
}

type AnswerKey = MessageKey extends infer Key ? (Key extends `answers.${infer Path}` ? Path : never) : never;

/** Renders a message of `answers.json`; parameters are markdown. */
export function answerText(
  { language = 'en', now }: AnswerLocale,
  key: AnswerKey,
  params: MessageParams = {},
): string {
  return formatMessage(language, `answers.${key}`, params, now * 1000);
}

/** `- and 3 more` as the last item of a list that was cut; none for a complete list. */
export function moreItem(locale: AnswerLocale, count: number): string[] {
  return count > 0 ? [`- ${answerText(locale, 'and_more', { count })}`] : [];
}

/** Date of a time in seconds: `23 Mar 2025`; null for a time outside the calendar. */
export function formatDate(seconds: number, { language = 'en' }: AnswerLocale): string | null {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return null;
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  if (language !== 'en') return new Intl.DateTimeFormat(language, format).format(date);
  const parts = new Intl.DateTimeFormat('en-US', format).formatToParts(date);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('day')} ${part('month')} ${part('year')}`;
}
