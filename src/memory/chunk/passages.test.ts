import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasSyntaxErrors } from './grammar.ts';
import { GRAMMAR_LANGUAGES, languageOf } from './languages.ts';
import { type CutFile, cutFile } from './passages.ts';

/** Lines 1 to the last are each in exactly one passage, in order, and every unit of the text in exactly one run. */
function expectWhole(text: string, { lineCount, passages }: CutFile): void {
  let line = 0;
  let unit = 0;
  for (const passage of passages) {
    expect(passage.start).toBe(line + 1);
    expect(passage.end).toBeGreaterThanOrEqual(passage.start);
    line = passage.end;
    for (const run of passage.runs) {
      expect(run.from).toBe(unit);
      expect(run.to).toBeGreaterThan(run.from);
      unit = run.to;
    }
  }
  const written = text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0);
  expect([line, lineCount, unit]).toEqual([written, written, text.length]);
}

const samples: Record<string, { path: string; text: string; names: string[] }> = {
  c: {
    path: 'a.c',
    text: '#define MAX(a) (a)\nstruct point { int x; };\ntypedef struct point pt;\nstatic int *find(int a)\n{\n\treturn 0;\n}\n',
    names: ['MAX', 'point', 'pt', 'find'],
  },
  cpp: {
    path: 'a.cc',
    text: 'namespace net {\nclass Socket {\n public:\n  int read() { return 0; }\n};\n}\ntemplate <typename T>\nint net::Socket::write(T t) { return 1; }\n',
    names: ['net', 'net.Socket', 'net.Socket.read', 'net.Socket.write'],
  },
  csharp: {
    path: 'a.cs',
    text: 'namespace N {\n  [Serializable]\n  public class Cart {\n    public int Total { get; set; }\n    public Cart() {}\n    int Add(int x) { return x; }\n  }\n}\n',
    names: ['Cart', 'Cart.Total', 'Cart.Cart', 'Cart.Add'],
  },
  go: {
    path: 'a.go',
    text: 'package a\n\ntype Session[T any] struct{}\n\nfunc (s *Session[T]) Do() {}\nfunc New() {}\n\nconst (\n\tA = 1\n\tB = 2\n)\n',
    names: ['Session', 'Session.Do', 'New', 'A', 'B'],
  },
  java: {
    path: 'A.java',
    text: 'class A {\n  @Override\n  public String toString() { return "x"; }\n  A() {}\n  interface B { void run(); }\n}\n',
    names: ['A', 'A.toString', 'A.A', 'A.B', 'A.B.run'],
  },
  javascript: {
    path: 'a.js',
    text: 'class A {\n  go() {}\n  later = () => 1;\n}\nconst f = () => 2;\nFoo.prototype.bar = function () {};\nexports.baz = async () => {};\nexport const LIMIT = 3;\n',
    names: ['A', 'A.go', 'A.later', 'f', 'Foo.bar', 'baz', 'LIMIT'],
  },
  php: {
    path: 'a.php',
    text: "<?php\nfunction top() {}\nclass A {\n  public function go() { return 'x'; }\n}\ninterface B {}\n",
    names: ['top', 'A', 'A.go', 'B'],
  },
  python: {
    path: 'a.py',
    text: 'LIMIT = 1\n\nclass A:\n    @property\n    def go(self):\n        def inner(): pass\n        return inner\n\n@cache\ndef top(): pass\n',
    names: ['LIMIT', 'A', 'A.go', 'A.go.inner', 'top'],
  },
  ruby: {
    path: 'a.rb',
    text: 'module M\n  class A < B\n    LIMIT = 3\n    def go\n    end\n    def self.make\n    end\n  end\nend\n',
    names: ['M', 'M.A', 'M.A.LIMIT', 'M.A.go', 'M.A.make'],
  },
  rust: {
    path: 'a.rs',
    text: '#[derive(Debug)]\nstruct S<T>(T);\nimpl<T> S<T> {\n    fn go(&self) {}\n}\ntrait Run { fn run(&self); }\nmod inner { pub fn deep() {} }\n',
    names: ['S', 'S', 'S.go', 'Run', 'Run.run', 'inner', 'inner.deep'],
  },
  tsx: {
    path: 'a.tsx',
    text: 'export interface Props { a: string }\nexport function Page({ a }: Props) {\n  const onClick = () => 1;\n  return <b onClick={onClick}>{a} words</b>;\n}\n',
    names: ['Props', 'Page', 'Page.onClick'],
  },
  typescript: {
    path: 'a.ts',
    text: '@injectable()\nexport class A<T> {\n  constructor(private a: T) {}\n  get size() { return 1; }\n}\nexport type B = string;\nenum C { X }\nexport const LIMIT = 1;\nnamespace N { export function f() {} }\n',
    names: ['A', 'A.constructor', 'A.size', 'B', 'C', 'LIMIT', 'N', 'N.f'],
  },
};

test.each(GRAMMAR_LANGUAGES)('%s: definitions carry their full names', async (language) => {
  const { path, text, names } = samples[language]!;
  expect(languageOf(path, text)).toBe(language);
  const cut = await cutFile(path, text);
  expectWhole(text, cut);
  expect(cut.passages.flatMap((passage) => passage.defines).sort()).toEqual([...names].sort());
  expect(await hasSyntaxErrors(path, text)).toBe(false);
  expect(await hasSyntaxErrors(path, `${text}\n)]} \u0001 ((`)).toBe(true);
});

test.each(GRAMMAR_LANGUAGES)(
  '%s: every line of broken and repeated code is in one passage',
  async (language) => {
    const { path, text } = samples[language]!;
    const lines = text.split('\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(lines.length - 1), { maxLength: 300 }), async (picks) => {
        const mixed = picks.map((pick) => lines[pick]!.slice(0, 60)).join('\n');
        expectWhole(mixed, await cutFile(path, mixed));
      }),
      { numRuns: 25 },
    );
  },
);

test('every line of every file of this project is in one passage', async () => {
  const root = new URL('../../../', import.meta.url);
  const listed = execFileSync('git', ['ls-files', '-z', 'src', 'docs', '*.json', '*.md'], { cwd: root });
  const paths = listed.toString().split('\0').filter(Boolean);
  expect(paths.length).toBeGreaterThan(50);
  for (const path of paths) {
    const text = readFileSync(new URL(path, root), 'utf8');
    expectWhole(text, await cutFile(path, text));
  }
});

test('any text is cut whole', async () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', '\n', '\r\n', '{', '}', '"', '/*', ' ', 'é', '🙂', '\ud800', '\ufeff'),
  });
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('x.js', 'x.py', 'x.c', 'x.md', 'x'), async (text, path) => {
      expectWhole(text, await cutFile(path, text));
    }),
  );
});

test('large classes are split into members, long functions into pieces, and comments stay with what they document', async () => {
  const body = (rows: number) => Array.from({ length: rows }, (_, i) => `        step(${i})`).join('\n');
  const text = `# About the class.\n@decorated\nclass Session:\n    """Words."""\n\n    # Sends it.\n    def send(self):\n${body(30)}\n\n    def long(self):\n${body(130)}\n`;
  const { passages } = await cutFile('a.py', text);
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
  const { passages } = await cutFile('a.py', text);
  const prose = passages.flatMap(({ runs }) => runs).filter((run) => run.prose);
  expect(prose.map(({ from, to }) => text.slice(from, to))).toEqual(['a file', '# why not']);
});

test('a comment that runs over several passages is prose in each', async () => {
  const text = `/*\n${'words of people\n'.repeat(90)}*/\nlet x = 1;\n`;
  const cut = await cutFile('a.js', text);
  expectWhole(text, cut);
  expect(cut.passages.length).toBeGreaterThan(1);
  for (const { runs } of cut.passages) expect(runs[0]!.prose).toBe(true);
  expect(cut.passages.at(-1)!.runs.at(-1)!.prose).toBe(false);
});

test('hostile nesting neither fails nor explodes', async () => {
  const text = 'function f(){'.repeat(20_000) + '}'.repeat(20_000);
  const { passages } = await cutFile('a.js', text);
  expect(passages).toHaveLength(1);
  expect(passages[0]!.defines.join().length).toBeLessThan(100_000);
});

test('a file that the parser or the query would take minutes for is cut by lines', async () => {
  const text = `${'('.repeat(300_000)}\nfunction f() {}\n`;
  const cut = await cutFile('a.js', text);
  expectWhole(text, cut);
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
  expect(languageOf(path, text)).toBe(language);
});
