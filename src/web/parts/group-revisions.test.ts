import { expect, test } from 'vitest';
import { groupRevisions } from './group-revisions.ts';

const project = (name: string) => ({ id: name, name, branch: 'main', indexed_commit: 'a'.repeat(40) });
const branch = (name: string, indexed = true) =>
  ({ name, kind: 'branch', commit: 'b'.repeat(40), indexed }) as const;
const tag = (name: string) => ({ ...branch(name), kind: 'tag' }) as const;
const commits = [{ hash: 'c'.repeat(40), message: 'Add retries' }];
const names = (text: string, known: Parameters<typeof groupRevisions>[1]) =>
  groupRevisions(text, known).map(({ kind, items }) => [
    kind,
    ...items.map(({ name, detail }) => `${name} ${detail}`.trim()),
  ]);

test('a project has its default branch once; a text that matches nothing can be used as it is', () => {
  const shop = {
    project: project('shop'),
    refs: [branch('main'), branch('next'), tag('v1')],
    own: [],
    commits,
  };
  expect(names('', [shop])).toEqual([
    ['head', 'main aaaaaaa'],
    ['branches', 'next bbbbbbb'],
    ['tags', 'v1 bbbbbbb'],
    ['commits', 'ccccccc Add retries'],
  ]);
  expect(names('v2', [shop])).toEqual([['typed', 'v2']]);
});

test('a branch of the reader that is edited comes first, once, and is not called indexed', () => {
  const edited = { ...project('shop'), branch: 'hindsight/ada', indexed_commit: null };
  const own = [{ name: 'hindsight/ada', head: 'd'.repeat(40) }];
  const shop = { project: edited, refs: [branch('main')], own, commits: [] };
  expect(names('', [shop])).toEqual([
    ['head', 'hindsight/ada ddddddd'],
    ['branches', 'main bbbbbbb'],
  ]);
  expect(groupRevisions('', [shop])[0]!.items[0]!.isIndexed).toBe(false);
});

test('revisions of several projects are merged by name, without commits', () => {
  const shop = { project: project('shop'), refs: [branch('next'), tag('v1')], own: [], commits };
  const till = { project: project('till'), refs: [tag('v1'), branch('next', false)], own: [], commits };
  const groups = groupRevisions('', [shop, till]);
  expect(names('', [shop, till])).toEqual([
    ['head', 'main'],
    ['branches', 'next shop, till'],
    ['tags', 'v1 shop, till'],
  ]);
  expect(groups.map(({ items }) => items[0]!.isIndexed)).toEqual([true, false, true]);
});
