import { expect, onTestFinished, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { collectHistory } from './collect-history.ts';
import { analyzeError } from './investigate.ts';
import { openSourceReader } from './locate/source-reader.ts';

test('commits that only format are no suspects, and blame passes over them', async () => {
  const hashes: Record<string, string> = {};
  const repo = await buildRepository(async (repository) => {
    const commit = async (name: string, message: string, files: Record<string, string>) => {
      hashes[name] = await repository.commit({ message, files });
    };
    await commit('written', 'Parse prices', {
      'price.js': 'export function price(text) {\n  return parsePrice(text)\n}\n',
    });
    await commit('formatted', 'Run prettier', {
      'price.js': 'export function price(text) {\n    return parsePrice(text)\n}\n',
    });
    await commit('listed', 'Add semicolons', {
      'price.js': 'export function price(text) {\n    return parsePrice(text);\n}\n',
    });
    await commit('list', 'List commits for blame', { '.git-blame-ignore-revs': `${hashes.listed}\n` });
  });
  onTestFinished(() => repo.remove());
  const index = await indexRepository(repo.path, 'main');
  const sources = openSourceReader(repo.path, index);
  onTestFinished(() => sources.close());
  const error_message = 'ReferenceError: parsePrice is not defined\n    at price (price.js:2:12)';
  const error = await analyzeError({ error_message }, { index }, sources);
  const { candidates, blame } = await collectHistory(error, { repo: repo.path, index, now: 1.7e9 });
  const namesOf = (commits: Iterable<number>) =>
    Object.keys(hashes).filter((name) => new Set(commits).has(index.commits.find(hashes[name]!)));
  expect(namesOf(candidates.map(({ commit }) => commit))).toEqual(['written', 'list']);
  expect(namesOf(blame.commits.keys())).toEqual(['written']);
});
