import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '../../src/git/testing.ts';
import type { CodeTable, RepositoryIndex } from '../../src/memory/repository-index.ts';
import { indexRepository } from '../../src/memory/testing.ts';
import { learnFileVectors } from './learn.ts';

let repo: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repo = await buildRepository(async (repository) => {
    const body = (name: string, version: number) => `export const ${name} = ${version};\n`;
    // Two features whose files change together, and a file of the first that is renamed on the way.
    await repository.commit({
      files: {
        'cart/price.ts': body('price', 0),
        'tax/rates.ts': body('rates', 0),
        'mail/letter.ts': body('letter', 0),
        'queue/worker.ts': body('worker', 0),
        'docs/parserGuide.ts': body('parserGuide', 0),
        'tools/parserTrace.ts': body('parserTrace', 0),
      },
    });
    for (let version = 1; version < 6; version++) {
      await repository.commit({
        files: { 'cart/price.ts': body('price', version), 'tax/rates.ts': body('rates', version) },
      });
      await repository.commit({
        files: { 'mail/letter.ts': body('letter', version), 'queue/worker.ts': body('worker', version) },
      });
    }
    await repository.rename('tax/rates.ts', 'levy/table.ts');
  });
  index = await indexRepository(repo.path);
});
afterAll(() => repo.remove());

function nearestTo(code: CodeTable, path: string): string {
  const similarities = learnFileVectors(code, index.commits).similarities(code.fileNumber(path));
  similarities[code.fileNumber(path)] = Number.NEGATIVE_INFINITY;
  return code.filePath(similarities.indexOf(Math.max(...similarities)));
}

test('files that change together are near each other, also after a rename', () => {
  expect(nearestTo(index.code!, 'mail/letter.ts')).toBe('queue/worker.ts');
  expect(nearestTo(index.code!, 'cart/price.ts')).toBe('levy/table.ts');
});

test('files that never changed again are near those that share words with them', () => {
  expect(nearestTo(index.code!, 'docs/parserGuide.ts')).toBe('tools/parserTrace.ts');
});

test('the same index gives the same vectors, to the bit', () => {
  const learn = () => learnFileVectors(index.code!, index.commits).similarities(0);
  expect(learn()).toEqual(learn());
});
