import { formatMessage, isMessageKey, type MessageKey } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';
import type { Sentence } from './common.ts';

/** Longest value of a parameter. */
const MAX_PARAM_LENGTH = 300;

/** Parameters of a sentence: a list becomes several words, each between backticks where the sentence has them. */
type SentenceParams = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * Sentence by the key of its message, with the English text; `now` (milliseconds) is what ages refer to.
 * Backticks delimit repository text, so in parameters they become `'`.
 */
export function createSentence(code: MessageKey, params: SentenceParams = {}, now = Date.now()): Sentence {
  const safeParams: Sentence['params'] = {};
  for (const [name, value] of Object.entries(params)) {
    safeParams[name] = typeof value === 'object' ? value.map(sanitize).join('`, `') : sanitize(value);
  }
  return { code, params: safeParams, text: formatMessage('en', code, safeParams, now) };
}

/** Renders a sentence in a language; a code that the locale files lack gives the English text. */
export function renderSentence({ code, params, text }: Sentence, language: Language): string {
  return isMessageKey(code) ? formatMessage(language, code, params) : text;
}

function sanitize(value: string): string;
function sanitize(value: string | number): string | number;
function sanitize(value: string | number): string | number {
  if (typeof value === 'number') return value;
  return value.replaceAll('`', "'").replace(/\s+/g, ' ').slice(0, MAX_PARAM_LENGTH);
}
