import { expect, test } from 'vitest';
import { checkFile } from './check.ts';

/** Path, text, and the first finding; null for a file without fault. */
const CASES: [path: string, text: string, found: object | null][] = [
  [
    'a.js',
    'export const a = 1;\nexport const b = ;\n',
    { line: 2, column: 18, severity: 'error', source: 'biome parse' },
  ],
  ['a.ts', 'export const a: number = 1;\n', null],
  ['deep/b.mts', 'const é = "é"; debugger;\n', { line: 1, column: 16, source: 'biome noDebugger' }],
  ['a.tsx', 'export const A = () => <p>{1 +}</p>;\n', { line: 1, severity: 'error' }],
  ['a.jsx', 'export const b = 1;\nb = 2;\n', { line: 2, source: 'biome noConstAssign' }],
  ['a.json', '{\n  "a": 1,\n}\n', { line: 3, column: 1, source: 'biome parse' }],
  ['a.css', 'a {\n  colr: blue;\n}\n', { line: 2, column: 3, source: 'biome noUnknownProperty' }],
  ['a.html', '<ul><li>a</ul>\n<img src="a" src="b">\n', { line: 2, source: 'biome noDuplicateAttributes' }],
  ['b.html', '<!doctype html>\n<p class="a>b</p>\n', { line: 2, severity: 'error', source: 'biome parse' }],
  ['a.py', 'def f(:\n  pass\n', { line: 1, column: 7, severity: 'error', source: 'ruff invalid-syntax' }],
  ['b.py', 'import os\n', { line: 1, column: 8, severity: 'warning', source: 'ruff F401' }],
  ['c.py', 'é = 1; print(y)\n', { line: 1, column: 14, severity: 'error', source: 'ruff F821' }],
  ['d.py', 'def f():\n    return 1\n', null],
  ['a.yml', 'a: 1\nb: [1\nc: 2\n', { line: 3, severity: 'error' }],
  ['b.yaml', 'a: &x 1\nb: *x\n---\nc: 2\n', null],
  ['c.yaml', 'a: 1\na: 2\n', { line: 2, column: 1, source: 'yaml duplicate-key' }],
  ['a.go', 'package a\n\nfunc f() {\n\treturn (\n}\n', { severity: 'error', source: 'syntax' }],
  [
    'a.java',
    'class A {\n  int f() { return 1 }\n}\n',
    { line: 2, message: 'Expected `;`', source: 'syntax' },
  ],
  ['a.rs', 'fn main() { let x = 1; }\n', null],
  ['a.c', 'int main(void) {\n  return 0\n}\n', { line: 2, message: 'Expected `;`' }],
  ['a.cpp', 'class A { public: int f( };\n', { line: 1, severity: 'error' }],
  ['a.rb', 'def f\n  [1, 2\nend\n', { severity: 'error' }],
  ['a.php', '<?php\n$a = ;\n', { line: 2, severity: 'error' }],
  ['A.cs', 'class A { int F() { return 1 } }\n', { line: 1, severity: 'error' }],
];

test.each(CASES)('%s: %j', async (path, text, found) => {
  const { diagnostics, checkedBy } = await checkFile({ path, text });
  expect(checkedBy).toHaveLength(1);
  if (found === null) expect(diagnostics).toEqual([]);
  else expect(diagnostics[0]).toMatchObject(found);
});

test.each(['notes.txt', 'README.md', 'Makefile'])(
  '%s has no checker, which is not the same as no fault',
  async (path) => {
    expect(await checkFile({ path, text: 'anything\n' })).toEqual({ diagnostics: [], checkedBy: [] });
  },
);

test('the number of diagnostics is limited, errors first, in line order', async () => {
  const text = `${'debugger;\n'.repeat(300)}const a = ;\n`;
  const { diagnostics } = await checkFile({ path: 'a.js', text });
  expect(diagnostics).toHaveLength(200);
  expect(diagnostics.map(({ line }) => line)).toEqual(
    diagnostics.map(({ line }) => line).sort((a, b) => a - b),
  );
  expect(diagnostics.some(({ source }) => source === 'biome parse')).toBe(true);
});

/** Texts that have broken readers of code before; none may throw. */
test.each([
  ['empty', ''],
  ['a byte order mark', '\ufeffa: 1\n'],
  ['mixed line ends', 'a: 1\r\nb: 2\nc: 3\r\n'],
  ['a line of a megabyte', `x = "${'y'.repeat(2 ** 20)}"\n`],
  ['conflict markers', '<<<<<<< ours\n=======\n>>>>>>> theirs\n'],
  ['bidirectional controls', 'a = "\u202e"\n'],
  ['tags', 'a = "\u{e0041}\u{e007f}"\n'],
  ['brackets', '['.repeat(400)],
])('%s is survived by every checker', async (_name, text) => {
  for (const path of ['a.js', 'a.py', 'a.yaml', 'a.go']) {
    await expect(checkFile({ path, text })).resolves.toBeDefined();
  }
});
