import { expect, test } from 'vitest';
import { checkChange } from './undefined-names.ts';

const JAVASCRIPT = `const { a } = require('./a')
class Box {
  constructor () { this.ready = false }
  open (key) {
    const { promise } = Promise.withResolvers()
    return promise
  }
  close () { const gone = 1; return gone }
}
module.exports = Box
`;
const PYTHON = `import os
from .util import helper as h

def f(a, *args, **kw):
    try:
        return h(a)
    except ValueError as e:
        raise TypeError(e) from e

class K:
    def m(self):
        x, y = 1, 2
        return self.m() + x
`;
const GO = 'package a\n\nimport "fmt"\n\nfunc F(x int) int {\n\treturn x\n}\n';

test.each([
  ['x.js', JAVASCRIPT, 'Promise.with', 'OldPromise.with', ['OldPromise']],
  ['x.js', JAVASCRIPT, 'return promise', 'return wait(gone, key, a)', ['wait', 'gone']],
  ['x.js', JAVASCRIPT, "const { a } = require('./a')\n", '// none of it\n', []],
  [
    'x.js',
    JAVASCRIPT.replace('return promise', 'return a(promise)'),
    "const { a } = require('./a')\n",
    '',
    ['a'],
  ],
  [
    'x.js',
    JAVASCRIPT,
    'return promise',
    'return { promise, do: async (x, ...y) => x(y), z: this.ready }',
    [],
  ],
  ['x.py', PYTHON, 'return h(a)', 'return old(a, kw, os.path, len(args), key=a)', ['old']],
  ['x.py', PYTHON, 'return self.m() + x', 'return [z for z in y if (w := z)] + w + m', ['m']],
  ['x.py', PYTHON, 'return self.m() + x', 'return (lambda q: q)(e)', ['e']],
  ['x.go', GO, 'return x', 'y, err := g(T{A: x})\n\tfmt.Println(err)\n\treturn y', ['g', 'T']],
])('%s: names that a change leaves undefined %#', async (path, before, from, to, names) => {
  const check = await checkChange(path, before, before.replace(from, to));
  expect(check).toMatchObject({ newErrors: 0, undefinedNames: names });
});

test('a member of the object that nothing else names is unknown', async () => {
  const after = JAVASCRIPT.replace('return promise', 'return this.wait(this.ready)');
  expect((await checkChange('x.js', JAVASCRIPT, after))?.unknownMembers).toEqual(['wait']);
});

test('errors that were there before do not count', async () => {
  const broken = 'const = 1\nlet b = 2\n';
  expect((await checkChange('x.js', broken, broken.replace('2', '3')))?.newErrors).toBe(0);
  expect(
    (await checkChange('x.js', JAVASCRIPT, JAVASCRIPT.replace('class Box {', 'class {{')))?.newErrors,
  ).toBeGreaterThan(0);
});

test('a file without a grammar cannot be checked', async () => {
  expect(await checkChange('x.lua', 'a = 1\n', 'a = b\n')).toBeNull();
});
