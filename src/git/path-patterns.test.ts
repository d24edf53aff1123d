import { expect, test } from 'vitest';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { compilePathPatterns } from './path-patterns.ts';

const CASES: [pattern: string, matches: string[], others: string[]][] = [
  ['docs/', ['docs/a.md', 'src/docs/a.md', 'docs'], ['docs.md', 'mydocs/a.md']],
  ['*.snap', ['a.snap', 'src/b.snap', '.snap'], ['a.snapshot', 'snap']],
  ['/build', ['build/a.js', 'build'], ['src/build/a.js']],
  ['packages/*/fixtures', ['packages/a/fixtures/x.json'], ['packages/fixtures/x', 'packages/a/b/fixtures/x']],
  ['src/**/test', ['src/test/a', 'src/a/b/test/c'], ['test/a', 'src/a/tests']],
  ['file?.ts', ['file1.ts', 'a/fileX.ts'], ['file.ts', 'file12.ts']],
  ['', [], ['a', 'a/b']],
];

test('patterns match files, and folders with all that they contain', () => {
  for (const [pattern, matches, others] of CASES) {
    const isMatch = compilePathPatterns([pattern]);
    for (const path of matches) expect.soft(isMatch(path), `${pattern} ${path}`).toBe(true);
    for (const path of others) expect.soft(isMatch(path), `${pattern} ${path}`).toBe(false);
  }
});

test('no pattern takes long', async () => {
  const isMatch = compilePathPatterns([`${'*a'.repeat(99)}b`, `${'**/a/'.repeat(40)}b`]);
  const matchAll = () => {
    for (let i = 0; i < 50; i++) isMatch(`${'a/'.repeat(500)}${'a'.repeat(24)}`);
  };
  expect(await measureCpuMs(matchAll)).toBeLessThan(1000);
});
