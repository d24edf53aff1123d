import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { age, SENTENCE_TEXTS, say } from './sentences.ts';

const LANGUAGES = ['en', 'es', 'fr', 'de'];

/** What the pages show for a code: `debug.why.now` is `why.now` of the file `debug.json`. */
function textIn(language: string, code: string): unknown {
  const [feature, ...keys] = code.split('.');
  const file = new URL(`../locales/${language}/${feature}.json`, import.meta.url);
  const texts: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  return keys.reduce<unknown>((inside, key) => (inside as Record<string, unknown>)?.[key], texts);
}

const holes = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), (match) => match[1]).sort();

test.each(LANGUAGES)('every sentence can be said in %s, with the same parameters', (language) => {
  expect(SENTENCE_TEXTS.size).toBeGreaterThan(30);
  for (const [code, english] of SENTENCE_TEXTS) {
    const text = textIn(language, code);
    expect(text, code).toBeTypeOf('string');
    expect({ code, holes: holes(String(text), /\{\{(\w+)(?:, ago)?\}\}/g) }).toEqual({
      code,
      holes: holes(english, /\{(\w+)\}/g),
    });
    // An age travels as a time: only the formatter makes words of it.
    expect(String(text), code).not.toContain('{{age}}');
  }
});

test.each([...SENTENCE_TEXTS])('%s reads the same in English whoever writes it', (code, english) => {
  const page = String(textIn('en', code)).replace(/\{\{(\w+)(?:, ago)?\}\}/g, '{$1}');
  expect(page).toBe(english);
});

const DAY = 86_400;
const NOW = Date.parse('2026-11-20T12:00:00Z') / 1000;

test.each([
  [0, 'today'],
  [1, '1 day ago'],
  [29, '29 days ago'],
  [30, '1 month ago'],
  [364, '12 months ago'],
  [365, '1 year ago'],
  [13 * 365.25 + 300, '13 years ago'],
])('%d days are %s: whole units, as on the pages', (days, words) => {
  expect(age(NOW - days * DAY, NOW).words).toBe(words);
});

test('an age is words in the text and a time in the parameters', () => {
  const why = say('debug.why.suspect_message', { age: age(NOW - 40 * DAY, NOW) });
  expect(why.text).toBe('Its message is like the error; 1 month ago.');
  expect(why.params.age).toBe('2026-10-11T12:00:00.000Z');
  expect(say('debug.why.suspect_message', { age: age(Number.NaN, NOW) })).toMatchObject({
    params: { age: '' },
    text: 'Its message is like the error; at an unknown time.',
  });
});

test('backticks and line breaks of the repository stay inside its words', () => {
  expect(say('debug.why.now', { path: 'a`b\nc' }).text).toBe("The code as it is now, in `a'b c`.");
});
