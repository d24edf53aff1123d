import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terms } from '#memory/tokens.ts';
import { parseQuery } from '../lexical/parse-query.ts';
import { extractSnippet } from './snippet.ts';

const text = ['one', 'cookie', 'two', 'three', 'four', 'parse the cookie', 'header', 'five'].join('\n');

test('shows the lines with the most distinct terms', () => {
  expect(extractSnippet(text, parseQuery('parse cookie header'), 2)).toEqual({
    text: 'parse the cookie\nheader',
    offset: 5,
  });
});

test('starts at the first line when nothing matches', () => {
  expect(extractSnippet(text, parseQuery('zebra'), 3)).toEqual({ text: 'one\ncookie\ntwo', offset: 0 });
  expect(extractSnippet('', parseQuery('zebra'), 3)).toEqual({ text: '', offset: 0 });
});

test('repeats of one term do not outweigh a second term', () => {
  const repeated = ['cookie', 'cookie', 'nothing', 'nothing', 'cookie', 'header'].join('\n');
  expect(extractSnippet(repeated, parseQuery('cookie header'), 2).offset).toBe(4);
});

test('truncates long lines', () => {
  expect(extractSnippet('x'.repeat(5000), parseQuery('y'), 1).text.length).toBe(301);
});

test('assigns terms to the line that contains them', () => {
  const words = [
    'cookie',
    'header_parse',
    ' ',
    '',
    '.',
    'x',
    'Cookies',
    'PARSED',
    'head_er',
    'queries',
    'oneByte',
  ];
  const line = fc.array(fc.constantFrom(...words, 'ｐａｒｓｅ', 'co_ok', 'v2', 'a_b', 'cook'), {
    maxLength: 4,
  });
  const query = parseQuery('cookie header parse query onebyte ab 2 x');
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (words) => {
      const lines = words.map((one) => one.join(' '));
      const shown = extractSnippet(lines.join('\n'), query, 2);
      const found = (from: number) => new Set(lines.slice(from, from + 2).flatMap((one) => terms(one)));
      const weightOf = (from: number) =>
        query.terms.reduce((sum, { term }) => sum + (found(from).has(term) ? term.length : 0), 0);
      expect(shown.text).toBe(lines.slice(shown.offset, shown.offset + 2).join('\n'));
      if (lines.length <= 2) return;
      expect(weightOf(shown.offset)).toBe(Math.max(...lines.map((_, from) => weightOf(from))));
    }),
  );
});
