import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectLanguage } from './languages.ts';
import { chunkFile } from './passages.ts';
import { expectFullCoverage, expectNoClosingBegin } from './testing.ts';

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
    const cut = await chunkFile(path, text);
    expectFullCoverage(text, cut);
    if (/\.tsx?$/.test(path)) expectNoClosingBegin(text, cut);
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

/** Statements of one row, to fill functions. */
const steps = (count: number) => Array.from({ length: count }, (_, i) => `    step(${i});`).join('\n');

test('tests are passages of their own, and none begins with a closing bracket', async () => {
  const it = (name: string, rows: number) =>
    `  it('${name}', async (t) => {\n    const handler = {\n      run() {\n        send();\n        wait();\n        stop();\n      },\n    };\n${steps(rows)}\n  }, 1000);\n`;
  const text = `const a = require('a');\n\ndescribe('all', () => {\n  beforeEach(() => {\n    open();\n  });\n\n${[10, 8, 25, 40].map((rows, i) => it(`case ${i}`, rows)).join('\n')}\n  // Words.\n${it('last', 70)}});\n`;
  const cut = await chunkFile('a.test.js', text);
  expectFullCoverage(text, cut);
  const lines = text.split('\n');
  expect(cut.passages.map(({ start }) => lines[start - 1]!.trim())).toEqual([
    "const a = require('a');",
    "it('case 0', async (t) => {",
    "it('case 1', async (t) => {",
    "it('case 2', async (t) => {",
    "it('case 3', async (t) => {",
    '// Words.',
    'step(0);',
    'step(35);',
  ]);
  expect(cut.passages[1]).toMatchObject({ symbol: null, defines: ['run'] });
});

test('rows that close several suites belong to the last test', async () => {
  const one = `      it('a', () => {\n${steps(25)}\n      });\n`;
  const suite = `  describe('b', () => {\n    describe('c', () => {\n${one.repeat(3)}    });\n  });\n`;
  const text = `describe('d', () => {\n${suite.repeat(2)}});\n`;
  const cut = await chunkFile('a.test.js', text);
  expectFullCoverage(text, cut);
  expectNoClosingBegin(text, cut);
  expect(cut.passages).toHaveLength(6);
});

test.each([
  ['a.rb', 'describe "a" do', 'end', 'it "b" do', 'end'],
  ['a.php', "<?php\ndescribe('a', function () {", '});', "it('b', function () {", '});'],
  ['a.ts', "describe.each([1])('a', () => {", '});', "await test('b', async () => {", '});'],
])('%s: a passage begins with a test', async (path, open, close, openTest, closeTest) => {
  const one = `  ${openTest}\n${steps(22).replaceAll(';', path === 'a.rb' ? '' : ';')}\n  ${closeTest}\n`;
  const text = `${open}\n${one.repeat(6)}${close}\n`;
  const { passages } = await chunkFile(path, text);
  const lines = text.split('\n');
  expect(passages.slice(1).map(({ start }) => lines[start - 1]!.trim())).toEqual(Array(5).fill(openTest));
});

test('functions in a wrapper of the module are passages of their own', async () => {
  const one = (name: string) => `  function ${name}() {\n${steps(10)}\n  }\n`;
  const { passages } = await chunkFile('a.js', `define(['a'], (a) => {\n${one('f')}${one('g')}});\n`);
  expect(passages.map(({ symbol }) => symbol)).toEqual(['f', 'g']);
});

test('a passage after a definition in a long function begins below its closing brackets', async () => {
  const text = `function all() {\n${steps(40)}\n  listen({\n    done() {\n${steps(5)}\n    },\n  }, 1000);\n${steps(20)}\n}\n`;
  const { passages } = await chunkFile('a.js', text);
  const lines = text.split('\n');
  expect(passages.map(({ start }) => lines[start - 1]!.trim())).toEqual([
    'function all() {',
    'done() {',
    'step(0);',
  ]);
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
