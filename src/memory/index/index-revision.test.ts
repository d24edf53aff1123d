import { expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import { indexRepository } from '../testing.ts';
import { indexRevision } from './index-revision.ts';

const limits = { maxFileBytes: 2 ** 20, maxEntries: 10_000 };

test('a revision whose index is smaller than that of the head is cached', async ({ onTestFinished }) => {
  const manyFiles = Array.from({ length: 400 }, (_, n) => [
    `src/part-${n}/file.js`,
    `export const x${n} = 1;\n`,
  ]);
  const repo = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'first.js': 'export const first = 1;\n' } });
    await repo.commit({ files: Object.fromEntries(manyFiles) });
  });
  onTestFinished(repo.remove);
  const head = await indexRepository(repo.path, await repo.head());
  const first = await repo.head('main^');
  const index = await indexRevision(repo.path, head, first, { limits });
  expect(index.bytes).toBeLessThan(head.bytes);
  expect(await indexRevision(repo.path, head, first, { limits })).toBe(index);
});
