import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectLanguage } from './languages.ts';
import { chunkFile } from './passages.ts';
import { expectFullCoverage } from './testing.ts';

test('every line of every third file of this project is in one passage', async () => {
  const root = new URL('../../../', import.meta.url);
  const listed = execFileSync('git', ['ls-files', '-z', 'src', 'docs', '*.json', '*.md'], { cwd: root });
  const paths = listed
    .toString()
    .split('\0')
    .filter((path, index) => path !== '' && index % 3 === 0);
  expect(paths.length).toBeGreaterThan(50);
  for (const path of paths) {
    const text = readFileSync(new URL(path, root), 'utf8');
    expectFullCoverage(text, await chunkFile(path, text));
  }
});

test('any text is covered completely', async () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', '\n', '\r\n', '{', '}', '"', '/*', ' ', 'é', '🙂', '\ud800', '\ufeff'),
  });
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('x.js', 'x.py', 'x.c', 'x.md', 'x'), async (text, path) => {
      expectFullCoverage(text, await chunkFile(path, text));
    }),
  );
});

test('large classes are split into members, long functions into parts, and comments stay with their definitions', async () => {
  const body = (rows: number) => Array.from({ length: rows }, (_, i) => `        step(${i})`).join('\n');
  const text = `# About the class.\n@decorated\nclass Session:\n    """Words."""\n\n    # Sends it.\n    def send(self):\n${body(30)}\n\n    def long(self):\n${body(130)}\n`;
  const { passages } = await chunkFile('a.py', text);
  expect(passages.map(({ start, end, symbol }) => [start, end, symbol])).toEqual([
    [1, 38, 'Session.send'],
    [39, 82, 'Session.long'],
    [83, 126, 'Session.long'],
    [127, 169, 'Session.long'],
  ]);
  expect(passages[0]!.defines).toEqual(['Session', 'Session.send']);
});

test('comments and strings are prose, the rest is code', async () => {
  const text = 'x = load("a file") # why not\ny = 1\n';
  const { passages } = await chunkFile('a.py', text);
  const prose = passages.flatMap(({ runs }) => runs).filter((run) => run.prose);
  expect(prose.map(({ from, to }) => text.slice(from, to))).toEqual(['a file', '# why not']);
});

test('a comment across several passages is prose in each', async () => {
  const text = `/*\n${'words of people\n'.repeat(90)}*/\nlet x = 1;\n`;
  const cut = await chunkFile('a.js', text);
  expectFullCoverage(text, cut);
  expect(cut.passages.length).toBeGreaterThan(1);
  for (const { runs } of cut.passages) expect(runs[0]!.prose).toBe(true);
  expect(cut.passages.at(-1)!.runs.at(-1)!.prose).toBe(false);
});

test('hostile nesting is chunked in bounded time', async () => {
  const text = 'function f(){'.repeat(20_000) + '}'.repeat(20_000);
  const { passages } = await chunkFile('a.js', text);
  expect(passages).toHaveLength(1);
  expect(passages[0]!.defines.join().length).toBeLessThan(100_000);
});

test('a file that would take the parser or the query minutes is chunked by lines', async () => {
  const text = `${'('.repeat(300_000)}\nfunction f() {}\n`;
  const cut = await chunkFile('a.js', text);
  expectFullCoverage(text, cut);
  expect(cut.passages.map(({ symbol }) => symbol)).toEqual([null]);
});

test.each([
  ['bin/run', '#!/usr/bin/env python3\n', 'python'],
  ['bin/run', '#!/bin/bash -e\n', 'shell'],
  ['bin/run', '#!/usr/bin/env -S node --no-warnings\n', 'javascript'],
  ['Makefile', '', 'make'],
  ['README', '', 'text'],
  ['README.md', '', 'markdown'],
  ['a.h', 'class X {};\n', 'cpp'],
  ['a.h', 'struct x;\n', 'c'],
  ['constructor', '', 'text'],
  ['__proto__', '', 'text'],
])('%s is %s', (path, text, language) => {
  expect(detectLanguage(path, text)).toBe(language);
});
