import { buildRepository, type TestRepository } from '#git/testing.ts';

/** A repository whose test fails since a known commit, with the hashes that matter. */
export interface PricesHistory {
  repository: TestRepository;
  /** Adds the test, which passes. */
  tested: string;
  culprit: string;
  head: string;
}

const PRICES = (lookup: string) =>
  [
    'const DISCOUNTS = { spring: { percent: 10 } };',
    '',
    'export function applyDiscount(cents, code) {',
    lookup,
    '  return Math.round(cents * (1 - discount.percent / 100));',
    '}',
    '',
  ].join('\n');

const GUARDED = PRICES('  const discount = DISCOUNTS[code] ?? { percent: 0 };');

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDiscount } from '../src/prices.js';

test('unknown codes change nothing', () => {
  assert.equal(applyDiscount(200, 'unknown'), 200);
});
`;

/** Command that fails since the culprit. */
export const PRICES_COMMAND = 'node --test test/prices.test.js';

/** The trace that the test prints since the culprit. */
export const PRICES_TRACE = `TypeError: Cannot read properties of undefined (reading 'percent')
    at applyDiscount (file:///srv/app/src/prices.js:5:42)
    at TestContext.<anonymous> (file:///srv/app/test/prices.test.js:6:16)
    at Test.runInAsyncScope (node:async_hooks:211:14)`;

/** Builds the repository: the test, changes elsewhere, the culprit, and changes after it. */
export async function buildPrices(): Promise<PricesHistory> {
  const prices = {} as PricesHistory;
  prices.repository = await buildRepository(async (repo) => {
    const change = (message: string, files: Record<string, string>) => repo.commit({ message, files });
    await change('Apply discounts', {
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/prices.js': GUARDED,
    });
    prices.tested = await change('Test unknown discounts', { 'test/prices.test.js': TEST });
    for (let count = 1; count <= 6; count++)
      await change(`Describe rule ${count}`, { 'README.md': `# Rules: ${count}\n` });
    prices.culprit = await change('Accept discount codes in any case', {
      'src/prices.js': PRICES('  const discount = DISCOUNTS[code.toLowerCase()];'),
    });
    for (let count = 1; count <= 4; count++)
      await change(`Log requests ${count}`, { 'src/log.js': `export const log = [${count}];\n` });
    prices.head = await repo.head();
  });
  return prices;
}
