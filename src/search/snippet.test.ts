import { expect, test } from 'vitest';
import { parseQuery } from './query.ts';
import { snippet } from './snippet.ts';

const text = ['one', 'cookie', 'two', 'three', 'four', 'parse the cookie', 'header', 'five'].join('\n');

test('shows the lines with most of the different terms', () => {
  expect(snippet(text, parseQuery('parse cookie header'), 2)).toEqual({
    text: 'parse the cookie\nheader',
    offset: 5,
  });
});

test('begins at the beginning when nothing matches', () => {
  expect(snippet(text, parseQuery('zebra'), 3)).toEqual({ text: 'one\ncookie\ntwo', offset: 0 });
  expect(snippet('', parseQuery('zebra'), 3)).toEqual({ text: '', offset: 0 });
});

test('repeats of one term do not outweigh a second term', () => {
  const repeated = ['cookie', 'cookie', 'nothing', 'nothing', 'cookie', 'header'].join('\n');
  expect(snippet(repeated, parseQuery('cookie header'), 2).offset).toBe(4);
});

test('cuts lines that no page could show', () => {
  expect(snippet('x'.repeat(5000), parseQuery('y'), 1).text.length).toBe(301);
});
