import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { answerError } from './answer-error.ts';

const CART = `/** The net total of all rows of a cart. */
exports.netTotal = function netTotal(rows) {
  return rows.reduce((sum, row) => sum + row.price, 0);
};
`;
const CHECK = `/srv/bakery/check.js:5
if (total !== 7) throw new Error('expected a total of 7, got ' + total)
                 ^

Error: expected a total of 7, got 0
    at Object.<anonymous> (/srv/bakery/check.js:5:24)
    at Module._compile (node:internal/modules/cjs/loader:1256:14)`;

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const files = {
      'package.json': '{\n  "name": "cartkit"\n}\n',
      'lib/cart.js': CART,
      'lib/total.js':
        '/** Prints a total, such as a total of 7. */\nexports.print = (total) => String(total);\n',
    };
    await repo.commit({ date: '2024-01-05T10:00:00Z', author: 'Ada', message: 'Add carts', files });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const answer = async (code_snippet: string) => {
  const deps = { repo: repository.path, index, sessions: [], now: '2024-02-10T00:00:00Z' };
  return await answerError({ error_message: CHECK, code_snippet }, deps, 'en');
};

test("a caller's check of a result names the caller and the function that it calls, and accuses no commit", async () => {
  const found = await answer("const { netTotal } = require('cartkit');\nconst total = netTotal(rows);");
  expect(found).toMatchObject({ kind: 'regression', abstained: false, suspect_commits: [], patch: null });
  expect(found.root_cause).toMatchObject({
    code: 'debug.cause.caller_failed',
    params: { caller: '/srv/bakery/check.js:5' },
  });
  expect(found.places[0]).toMatchObject({ path: 'lib/cart.js', start_line: 1 });
  expect(found.confidence).toBeGreaterThan(0);
  expect(found.confidence).toBeLessThan(0.7);
});

test("the same check of another project's result is declined", async () => {
  const found = await answer("const { netWeight } = require('scales');\nconst total = netWeight(rows);");
  expect(found).toMatchObject({ abstained: true, root_cause: null, suspect_commits: [] });
});

test('a check that names neither this project nor another is unclear: no place is stated, and no commit accused', async () => {
  const deps = { repo: repository.path, index, sessions: [], now: '2024-02-10T00:00:00Z' };
  const error_message = `--- a check of the page
not ok 1 - header
  wanted: <b>7</b>
  got: <b>0</b>`;
  const found = await answerError({ error_message }, deps, 'en');
  expect(found).toMatchObject({ kind: 'regression', abstained: false, place_confidence: null });
  expect(found).toMatchObject({ suspect_commits: [], patch: null });
  expect(found.root_cause?.code).toBe('debug.cause.check_unclear');
  expect(found.confidence).toBeLessThan(0.6);

  const traced = await answerError({ error_message: CHECK.replaceAll('total', 'sum') }, deps, 'en');
  expect(traced).toMatchObject({ kind: 'regression', abstained: false, suspect_commits: [] });
  expect(traced.root_cause?.code).toBe('debug.cause.caller_unclear');
});
