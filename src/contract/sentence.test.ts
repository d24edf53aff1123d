import { expect, test } from 'vitest';
import { templatesIn } from '#locales/catalogs.ts';
import type { MessageKey } from '#locales/format-message.ts';
import { LANGUAGES } from '#locales/languages.ts';
import { isoTime } from './iso-time.ts';
import { createSentence, renderSentence } from './sentence.ts';

const DAY_S = 86_400;
const NOW_S = Date.parse('2026-11-20T12:00:00Z') / 1000;

test('an age is words in the text and a time in the parameters', () => {
  const seen = (time: number) =>
    createSentence('debug.why.suspect_message', { age: isoTime(time) }, NOW_S * 1000);
  expect(seen(NOW_S - 40 * DAY_S).text).toContain('1 month ago');
  expect(seen(NOW_S - 40 * DAY_S).params.age).toBe('2026-10-11T12:00:00.000Z');
  expect(seen(Number.NaN)).toMatchObject({
    params: { age: '' },
    text: expect.stringContaining('at an unknown time'),
  });
});

test('backticks and line breaks of the repository stay inside its words', () => {
  expect(createSentence('debug.why.now', { path: 'a`b\nc' }).text).toContain("`a'b c`");
});

test('words of a list are delimited one by one', () => {
  const { params, text } = createSentence('debug.why.place_terms', { words: ['a`b', 'c'] });
  expect(params.words).toBe("a'b`, `c");
  expect(text).toContain("`a'b`, `c`");
});

test.each(LANGUAGES)(
  'a sentence is rendered in %s, and one of an unknown code keeps its text',
  (language) => {
    const { code, params } = createSentence('debug.why.named_file', { path: 'a.ts' });
    const text = renderSentence({ code, params, text: '' }, language);
    expect(text).toBe(templatesIn(language).get(code)?.replace('{{path}}', 'a.ts'));
    expect(renderSentence({ code: 'debug.why.of_another_version', params, text: 'Old.' }, language)).toBe(
      'Old.',
    );
  },
);

test('an age is always rendered by the formatter: it travels as a time', () => {
  const keys = [...templatesIn('en').keys()].filter((key) => key.startsWith('debug.')) as MessageKey[];
  expect(keys.length).toBeGreaterThan(30);
  for (const language of LANGUAGES) {
    for (const key of keys) expect(templatesIn(language).get(key), key).not.toContain('{{age}}');
  }
});
