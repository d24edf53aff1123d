import { expect, test } from 'vitest';
import { parsePatch } from './patch.ts';

test('a patch parses into files, hunks and lines', () => {
  const patch = [
    'diff --git a/src/a.py b/src/a.py',
    '--- a/src/a.py',
    '+++ b/src/a.py',
    '@@ -10,3 +10,3 @@ class A:',
    ' before',
    '-    old()',
    '+    new()',
    ' after',
    '@@ -40 +40,2 @@',
    ' x',
    '+y',
    '\\ No newline at end of file',
    '--- a/gone.py',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '--- a comment in SQL',
    '',
  ].join('\n');
  const files = parsePatch(patch);
  expect(files.map((file) => [file.path, file.hunks.length])).toEqual([
    ['src/a.py', 2],
    ['gone.py', 1],
  ]);
  expect(files[0]?.hunks[0]).toEqual({
    old_start: 10,
    old_lines: 3,
    new_start: 10,
    new_lines: 3,
    header: 'class A:',
    lines: [
      { kind: 'context', text: 'before' },
      { kind: 'delete', text: '    old()' },
      { kind: 'add', text: '    new()' },
      { kind: 'context', text: 'after' },
    ],
  });
  expect(files[1]?.hunks[0]?.lines).toEqual([{ kind: 'delete', text: '-- a comment in SQL' }]);
});

test('an empty line without its leading space is a context line', () => {
  const files = parsePatch('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n\n-a\n+b\n');
  expect(files[0]?.hunks[0]?.lines.map((line) => line.kind)).toEqual(['context', 'delete', 'add']);
});

test('other text has no files', () => {
  expect(parsePatch('hello\n@@ nonsense @@')).toEqual([]);
});
