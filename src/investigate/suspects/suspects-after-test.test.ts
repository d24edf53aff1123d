import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { investigate } from '../investigate.ts';

let repository: TestRepository;
let index: RepositoryIndex;

const PRICE = (rate: string) => `exports.price = (cents) => cents * ${rate};\n`;
const TEST = [
  "const { price } = require('../lib/price');",
  "const assert = require('node:assert');",
  "require('node:test')('adds the tax', () => {",
  '  assert.strictEqual(price(100), 120);',
  '});',
  '',
].join('\n');

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Compute prices', files: { 'lib/price.js': PRICE('1.2') } });
    await repo.commit({ message: 'Test prices', files: { 'test/price.test.js': TEST } });
    await repo.commit({ message: 'Lower the tax in lib/price.js', files: { 'lib/price.js': PRICE('1.19') } });
  });
  index = await indexRepository(repository.path);
});
afterAll(() => repository.remove());

test('the commit that wrote a failing test is no suspect, nor what came before it', async () => {
  const error_message = [
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 119 !== 120',
    '    at TestContext.<anonymous> (/srv/shop/test/price.test.js:4:10)',
    '    at Test.run (node:internal/test_runner/test:1402:25)',
  ].join('\n');
  const deps = { repo: repository.path, index, sessions: [], now: '2024-03-01T00:00:00.000Z' };
  const { suspects } = await investigate({ error_message }, deps);
  const subjects = suspects.map(({ commit }) => index.commits.subject(commit));
  expect(subjects).toEqual(['Lower the tax in lib/price.js']);
});
