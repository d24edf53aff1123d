import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { selectFixes, symptomText } from './select-fixes.ts';

let repository: TestRepository;
let index: RepositoryIndex;
const fixes: string[] = [];

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Begin', files: { 'src/a.js': 'let a = 0;\n', 'docs/a.md': 'a\n' } });
    for (let n = 1; n <= 8; n++) {
      await repo.commit({ message: `Add part ${n}`, files: { [`src/part${n}.js`]: `let part = ${n};\n` } });
      fixes.unshift(
        await repo.commit({
          message: `Fix crash of part number ${n}`,
          files: { 'src/a.js': `let a = ${n};\n` },
        }),
      );
    }
    await repo.commit({ message: 'Fix crash in the manual of a', files: { 'docs/a.md': 'b\n' } });
    await repo.commit({ message: 'Fix crash by a new file', files: { 'src/b.js': 'b\n' } });
    await repo.commit({
      message: 'Fix crash by a newer library',
      files: { 'docs/a.md': 'c\n', 'package.json': '{}\n' },
    });
    await repo.commit({ message: 'Fix crash by the newest library', files: { 'package.json': '{ }\n' } });
    await repo.commit({ message: 'Fix bug', files: { 'src/a.js': 'let a = 77;\n' } });
    await repo.branch('side');
    await repo.commit({ message: 'Work aside', files: { 'src/c.js': 'c\n' } });
    await repo.switch('main');
    await repo.merge('side', { message: 'Merge the fix of the crash in a' });
  });
  index = await indexRepository(repository.path);
});
afterAll(() => repository.remove());

const oids = (count: number, seed: number | null) =>
  selectFixes(index.commits, { head: index.revision, count, seed }).map(({ oid }) => oid);

test('selects the last fixes of source code, newest first, without docs, dependencies, new files, merges or empty messages', () => {
  expect(oids(3, null)).toEqual(fixes.slice(0, 3));
  expect(oids(200, null)).toEqual(fixes);
});

test('fixes after the head are excluded', () => {
  const found = selectFixes(index.commits, { head: fixes[2]!, count: 2, seed: null });
  expect(found.map(({ oid }) => oid)).toEqual(fixes.slice(2, 4));
});

test('a fix is replayed on its parent', () => {
  const [first] = selectFixes(index.commits, { head: index.revision, count: 1, seed: null });
  const number = index.commits.find(first!.oid);
  expect(first!.parent).toBe(index.commits.oid(index.commits.parents(number)[0]!));
});

test('a seed determines the sample, which is ordered newest first', () => {
  const drawn = oids(3, 7);
  expect(oids(3, 7)).toEqual(drawn);
  expect(oids(3, 8)).not.toEqual(drawn);
  expect(new Set(drawn).size).toBe(3);
  expect(fixes.filter((oid) => drawn.includes(oid))).toEqual(drawn);
});

test('the symptom text contains neither people nor hashes', () => {
  const message =
    'Fix crash (#12)\n\nSince 1a2b3c4d5e the parser stops.\n\nFixes: 1a2b3c4d5e6f\nSigned-off-by: Ada\n(cherry picked from commit 99)\n';
  expect(symptomText(message)).toBe('Fix crash (#12)\n\nSince  the parser stops.');
});
