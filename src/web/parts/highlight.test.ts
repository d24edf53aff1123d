import { expect, test } from 'vitest';
import { highlightLines } from './highlight.ts';

const kinds = (lines: string[], path: string) =>
  highlightLines(lines, path).map((tokens) =>
    tokens.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind}:${text}`),
  );

test('keywords, strings, numbers, calls and comments have kinds', () => {
  expect(kinds(["return trim('a', 12) // end"], 'a.ts')).toEqual([
    ['keyword:return', 'function:trim', "string:'a'", 'number:12', 'comment:// end'],
  ]);
});

test('comments and strings continue on the next lines', () => {
  expect(kinds(['/* a', 'b */ if'], 'a.go')).toEqual([['comment:/* a'], ['comment:b */', 'keyword:if']]);
  expect(kinds(['"""Docs', "don't", '"""', 'pass'], 'a.py')).toEqual([
    ['string:"""Docs'],
    ["string:don't"],
    ['string:"""'],
    ['keyword:pass'],
  ]);
});

test('a lifetime of Rust opens no string', () => {
  expect(kinds(["fn a<'a>(b: &'a str)"], 'a.rs')).toEqual([['keyword:fn']]);
});

test('the text of a line is kept, in any language', () => {
  const lines = ['x = "open', "ähnlich(`a` + 'b')", '\t# 日本', ''];
  for (const path of ['a.js', 'a.py', 'a.rs', 'a.sql', 'a.rb', 'README']) {
    expect(highlightLines(lines, path).map((tokens) => tokens.map(({ text }) => text).join(''))).toEqual(
      lines,
    );
  }
});
