import { expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { assessFixes } from './fix-outcomes.ts';

test('a fix is too recent, then in place; reverted; or fixed again', async () => {
  const fixes: Record<string, string> = {};
  const repository = await buildRepository(async (repo) => {
    const commit = (date: string, message: string, line: string) =>
      repo.commit({ date: `${date}T00:00:00Z`, message, files: { 'a.js': `const one = 1;\n${line}\n` } });
    await commit('2023-01-01', 'Begin', 'export const first = second(third);');
    fixes.refixed = await commit('2023-02-01', 'Fix the third', 'export const first = second(third || 0);');
    await commit('2023-02-11', 'Fix the third again', 'export const first = second(third ?? 0);');
    fixes.reverted = await commit(
      '2023-06-01',
      'Fix the second',
      'export const first = second?.(third ?? 0);',
    );
    await repo.revert(fixes.reverted, { date: '2023-06-21T00:00:00Z' });
    fixes.inPlace = await commit(
      '2024-01-01',
      'Fix the first',
      'export const first = 1 + second(third ?? 0);',
    );
    await commit('2024-01-08', 'Rewrite', 'export default second(third);');
  });
  try {
    const index = await indexRepository(repository.path, 'main');
    const assess = async (name: string, now: string) => {
      const commits = [index.commits.find(fixes[name]!)];
      const [outcome] = await assessFixes({
        repo: repository.path,
        index,
        commits,
        now: Date.parse(now) / 1000,
      });
      return outcome;
    };
    expect(await assess('refixed', '2024-06-01')).toMatchObject({ state: 'fixed_again', days: 10 });
    expect(await assess('reverted', '2024-06-01')).toMatchObject({ state: 'reverted', days: 20 });
    expect(await assess('inPlace', '2024-06-01')).toEqual({ state: 'in_place', days: 152 });
    expect(await assess('inPlace', '2024-01-31')).toEqual({ state: 'too_recent', days: 30 });
  } finally {
    await repository.remove();
  }
});
