import { afterAll, expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { findFixChanges } from './changed-fixes.ts';

const DAY_S = 86_400;
const START = Date.parse('2026-01-01T00:00:00Z') / 1000;
const at = (day: number) => new Date((START + day * DAY_S) * 1000).toISOString().replace(/\.\d+/, '');

const hashes: Record<string, string> = {};
const repository = await buildRepository(async (repo) => {
  const commit = async (
    name: string,
    day: number,
    message: string,
    lines: string[],
    path = 'src/price.js',
  ) => {
    hashes[name] = await repo.commit({ message, date: at(day), files: { [path]: `${lines.join('\n')}\n` } });
  };
  await commit('first', 0, 'Add prices', ['const tax = 2;', 'const price = 10;', 'export { price };']);
  await commit('fix', 10, 'Fix rounding of prices', [
    'const tax = 2;',
    'const price = Math.round(10);',
    'export { price };',
  ]);
  await commit('other', 20, 'Raise the tax', [
    'const tax = 3;',
    'const price = Math.round(10);',
    'export { price };',
  ]);
  await commit('touching', 30, 'Simplify prices', [
    'const tax = 3;',
    'const price = 10;',
    'export { price };',
  ]);
  await commit('docs', 40, 'Fix a crash in docs', ['Fixed.'], 'docs/a.md');
  await commit('moved', 50, 'Rewrite docs', ['Other.'], 'docs/a.md');
});
afterAll(() => repository.remove());

test('a commit that changes the lines of a fix is found; one beside them, or in documents, is not', async () => {
  const span = { repo: repository.path, head: hashes.moved!, base: null, maxCommits: 50 };
  expect((await findFixChanges(span)).changed).toEqual([
    {
      commit: hashes.touching,
      subject: 'Simplify prices',
      author: expect.any(String),
      committed: START + 30 * DAY_S,
      path: 'src/price.js',
      fix: hashes.fix,
      fixSubject: 'Fix rounding of prices',
    },
  ]);
  expect(await findFixChanges({ ...span, base: hashes.touching! })).toEqual({ changed: [], undone: [] });
});
