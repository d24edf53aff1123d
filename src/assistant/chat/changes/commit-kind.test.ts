import { expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '#memory/testing.ts';
import { commitKind } from './commit-kind.ts';

const KINDS: [string, string, string][] = [
  ['feat(router): wildcard paths', 'src/a.js', 'added'],
  ['Add support for streams', 'src/a.js', 'added'],
  ['[router] Allow empty paths', 'src/a.js', 'added'],
  ['fix: crash without a body', 'src/a.js', 'fixed'],
  ['Fix crash on empty input (#12)', 'src/a.js', 'fixed'],
  ['Fix CVE-2024-1234 in the parser', 'src/a.js', 'security'],
  ['Remove the old parser', 'src/a.js', 'removed'],
  ['Use one parser for both formats', 'src/a.js', 'changed'],
  ['docs: fix a crash in the example', 'src/a.js', 'maintenance'],
  ['Bump eslint from 8.1.0 to 8.2.0', 'package.json', 'maintenance'],
  ['3.4.1', 'package.json', 'maintenance'],
  ['Cover the parser', 'test/a.test.js', 'maintenance'],
];

test('commits are classified by message and paths', async ({ onTestFinished }) => {
  const repo = await buildRepository(async (repo) => {
    for (const [number, [message, path]] of KINDS.entries())
      await repo.commit({ message, files: { [path]: `${number}\n` } });
  });
  onTestFinished(repo.remove);
  const index = await indexRepository(repo.path, 'main');
  const found = KINDS.map(([message], i) => [message, commitKind(index, KINDS.length - 1 - i)]);
  expect(found).toEqual(KINDS.map(([message, , kind]) => [message, kind]));
});
