import { expect, test } from 'vitest';
import { highlightNow, loadHighlighter } from './highlight.ts';

async function highlight(lines: string[], path: string) {
  await loadHighlighter(path);
  return highlightNow(lines.join('\n'), path) ?? [];
}

async function kinds(lines: string[], path: string) {
  const tokens = await highlight(lines, path);
  return tokens.map((line) =>
    line.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind}:${text}`),
  );
}

test('keywords, strings, numbers, calls and comments have kinds', async () => {
  expect(await kinds(["return trim('a', 12) // end"], 'a.ts')).toEqual([
    ['keyword:return', 'function:trim', "string:'a'", 'number:12', 'comment:// end'],
  ]);
});

test('comments and strings continue on the next lines', async () => {
  expect(await kinds(['/* a', 'b */ if'], 'a.go')).toEqual([
    ['comment:/* a'],
    ['comment:b */', 'keyword:if'],
  ]);
  expect(await kinds(['"""Docs', "don't", '"""', 'pass'], 'a.py')).toEqual([
    ['string:"""Docs'],
    ["string:don't"],
    ['string:"""'],
    ['keyword:pass'],
  ]);
});

test('languages without a grammar are coloured by a stream parser', async () => {
  expect(await kinds(['def a # note'], 'lib/a.rb')).toEqual([['keyword:def', 'comment:# note']]);
});

test('the text of a line is kept, in any language', async () => {
  const lines = ['x = "open', "ähnlich(`a` + 'b')", '\t# 日本', ''];
  for (const path of ['a.js', 'a.py', 'a.rs', 'a.sql', 'a.rb', 'README', 'a.toml', 'Dockerfile']) {
    const tokens = await highlight(lines, path);
    expect(tokens.map((line) => line.map(({ text }) => text).join(''))).toEqual(lines);
  }
});
