import { expect, test } from 'vitest';
import type { FileTree } from '#contract/ide.ts';
import { ancestorFolders, buildTreeRows } from './tree-rows.ts';

const file = { type: 'file', size: 1 } as const;
const folder = { type: 'directory' } as const;
const ROOT = JSON.parse('{"b.js":{"type":"file","size":1},"__proto__":{"type":"file","size":1}}') as FileTree;
const loaded = new Map<string, FileTree>([
  ['', { ...ROOT, src: folder, docs: folder }],
  ['src', { 'z.js': file, deep: folder }],
]);

test('folders come first, followed by their entries when expanded', () => {
  const rows = buildTreeRows(loaded, new Set(['src']));
  expect(rows.map(({ path, level, kind }) => `${level} ${kind} ${path}`)).toEqual([
    '1 folder docs',
    '1 folder src',
    '2 folder src/deep',
    '2 file src/z.js',
    '1 file __proto__',
    '1 file b.js',
  ]);
});

test('an expanded folder without entries is loading', () => {
  const rows = buildTreeRows(loaded, new Set(['src', 'src/deep', 'gone']));
  expect(rows.filter(({ loading }) => loading).map(({ path }) => path)).toEqual(['src/deep']);
});

test('ancestor folders of a path', () => {
  expect(ancestorFolders('a/b/c.js')).toEqual(['a', 'a/b']);
  expect(ancestorFolders('c.js')).toEqual([]);
});
