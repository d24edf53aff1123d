import { expect, test } from 'vitest';
import { hasSameRuntimeTokens } from './runtime-tokens.ts';

test.each([
  ['a.py', 'def f(a: int, b=1) -> str:\n    return a\n', 'def f(a: t.Any, b=1) -> "bytes":\n    return a\n'],
  ['a.py', 'def f(a):\n    return a\n', 'def f(a: int) -> int:\n    return a  # why\n'],
  ['a.py', 'x = 1\n', 'x: int = 1\n'],
  ['a.py', 'def f():\n    "one"\n    return 1\n', 'def f():\n    "two"\n    return 1\n'],
  ['a.ts', 'const a = f<A>(b);\n', 'const a: B = f(b); // why\n'],
  ['a.tsx', 'function f(a) { return <b/>; }\n', 'function f(a: C) {\n  return <b/>;\n}\n'],
  ['a.go', 'package a\nvar b = 1\n', 'package a\n\n// why\nvar b = 1\n'],
])('%s runs as before: %j', async (path, before, after) => {
  expect(await hasSameRuntimeTokens(path, before, after)).toBe(true);
});

test.each([
  ['a.py', 'x = a[1:]\n', 'x = a[1]\n'],
  ['a.py', 'if a:\n    b()\nc()\n', 'if a:\n    b()\n    c()\n'],
  ['a.yaml', 'a:\n  b: 1\nc: 2\n', 'a:\n  b: 1\n  c: 2\n'],
  ['a.py', 'def f(a: int = 1): pass\n', 'def f(a: int = 2): pass\n'],
  ['a.py', 'def f(a):\n    return a\n', 'def f(a):\n    return b\n'],
  ['a.ts', 'const a: B = 1;\n', 'const a: B = 2;\n'],
  ['a.go', 'package a\nvar b int\n', 'package a\nvar b string\n'],
  ['a.unknown', 'x # 1\n', 'x # 2\n'],
])('%s runs otherwise: %j', async (path, before, after) => {
  expect(await hasSameRuntimeTokens(path, before, after)).toBe(false);
});
