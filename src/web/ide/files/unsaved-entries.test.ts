import { expect, test } from 'vitest';
import type { FileTree } from '#contract/ide.ts';
import { buildTreeRows } from './tree-rows.ts';
import { addUnsaved, isMissingFolder } from './unsaved-entries.ts';

const STORED = new Map<string, FileTree | undefined>([
  ['', { src: { type: 'directory' }, 'a.js': { type: 'file', size: 1 } }],
  ['src', { 'b.js': { type: 'file', size: 1 } }],
]);

test('files and folders that are not stored yet stand among the others', () => {
  const files = ['src/new.js', 'lib/deep/__proto__', 'a.js'];
  const all = addUnsaved(STORED, { files, folders: ['empty'] });
  const rows = buildTreeRows(all, new Set(['src', 'lib', 'lib/deep', 'empty']));
  expect(rows.map(({ path }) => path)).toEqual(
    'empty lib lib/deep lib/deep/__proto__ src src/b.js src/new.js a.js'.split(' '),
  );
  expect(rows.some(({ loading }) => loading)).toBe(false);
  expect(Object.keys(STORED.get('')!)).toEqual(['src', 'a.js']);
});

test('folders that are not stored are known as far as their parents are loaded', () => {
  const listingOf = (path: string) => STORED.get(path);
  const missing = ['', 'src', 'src/deep', 'lib', 'lib/deep', 'a.js'].filter((path) =>
    isMissingFolder(path, listingOf),
  );
  expect(missing).toEqual(['src/deep', 'lib', 'lib/deep', 'a.js']);
  expect(isMissingFolder('lib', () => undefined)).toBe(false);
});
