import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { answerError } from './answer-error.ts';

interface Parts {
  intro?: string;
  region?: string;
  lookup?: string;
  rounding?: string;
  limit?: string;
}

const checkout = ({
  intro = '',
  region = "  if (!RATES[region]) throw new Error('Tax rates know no region of that name');\n",
  lookup = '  return cents * DISCOUNTS[code].percent;',
  rounding = '  return Math.round(cents.amount);',
  limit = '  return stock.left - count;',
}: Parts = {}) => `${intro}const DISCOUNTS = { spring: { percent: 10 } };
const RATES = { eu: 1.2 };

function taxRate(region) {
${region}  return RATES[region];
}

function applyDiscount(cents, code) {
${lookup}
}

function roundUp(cents) {
${rounding}
}

function takeFrom(stock, count) {
${limit}
}
`;
const INTRO = '// Prices in cents.\n// Discounts in percent.\n\n';

let repository: TestRepository;
let index: RepositoryIndex;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    let day = 10;
    const save = (message: string, parts?: Parts) =>
      repo.commit({
        ...{ message, author: 'Ada', date: `2024-01-${day++}T10:00:00Z` },
        files: { 'package.json': '{\n  "name": "shop"\n}\n', 'lib/checkout.js': checkout(parts) },
      });
    await save('Add checkout');
    await save('Describe the units', { intro: INTRO });
    const lookup = '  return cents * (DISCOUNTS[code]?.rate ?? 1);';
    await save('Accept unknown discounts', { intro: INTRO, lookup });
    await save('Allow all regions', { intro: INTRO, lookup, region: '' });
    const limit = `  if (!stock) return 0;\n${'  return stock.left - count;'}`;
    await save('Check for missing stock', { intro: INTRO, lookup, region: '', limit });
    const rounding = '    return Math.round( cents.amount )';
    await save('Format', { intro: INTRO, lookup, region: '', limit, rounding });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const answer = (error_message: string) =>
  answerError(
    { error_message },
    { repo: repository.path, index, sessions: [], now: '2024-02-10T00:00:00Z' },
    'en',
  );
const at = (name: string, place: string) => `    at ${name} (/srv/node_modules/shop/lib/checkout.js:${place})
    at handle (/srv/server.js:9:3)`;
const absent = (member: string) => `TypeError: Cannot read properties of undefined (reading '${member}')`;

test.each([
  ['changed', 'Accept unknown discounts', 10, `${absent('percent')}\n${at('applyDiscount', '10:34')}`],
  [
    'removed',
    'Allow all regions',
    5,
    `Error: Tax rates know no region of that name\n${at('taxRate', '5:29')}`,
  ],
  ['checked', 'Check for missing stock', 18, `${absent('left')}\n${at('takeFrom', '18:16')}`],
])('names the commit that %s the failing line since: %s', async (how, message, line, error) => {
  const found = await answer(error);
  expect(found).toMatchObject({
    ...{ kind: 'regression', abstained: false, suspect_commits: [], related_commits: [], patch: null },
    changed_since: { path: 'lib/checkout.js', line, how, commit: { message } },
    root_cause: { code: `debug.cause.line_${how}` },
    cause_confidence: null,
  });
  expect(found.confidence).toBe(found.place_confidence);
  expect(found.evidence).toContainEqual(
    expect.objectContaining({ kind: 'changed_since', commit: found.changed_since?.commit.hash }),
  );
  expect(found.solution).toContain(message);
  expect(found.solution).toContain('Update to a version that contains');
});

test.each([
  ['is still there', 'roundUp', '16:30', 'amount'],
  ['was only formatted and moved', 'roundUp', '14:27', 'amount'],
  ['was in no version', 'applyDiscount', '3:9', 'price'],
])('says nothing of a line that %s', async (_, name, place, member) => {
  const found = await answer(`${absent(member)}\n${at(name, place)}`);
  expect(found.changed_since).toBeNull();
});

test('an answer at a past revision names the later change of its failing line', async () => {
  const past = await indexRepository(repository.path, index.commits.oid(index.commits.count - 1));
  const error_message = `${absent('percent')}\n${at('applyDiscount', '10:34')}`;
  const deps = { repo: repository.path, sessions: [], now: '2024-02-10T00:00:00Z' };
  const found = await answerError({ error_message }, { ...deps, index: past, newest: index }, 'en');
  expect(found.changed_since).toBeNull();
  expect(found.changed_later).toMatchObject({
    ...{ path: 'lib/checkout.js', line: 10, how: 'changed' },
    commit: { message: 'Accept unknown discounts' },
  });
  expect(found.solution).toContain('Changed after this revision');
  const unchanged = `${absent('amount')}\n${at('roundUp', '14:27')}`;
  const other = await answerError(
    { error_message: unchanged },
    { ...deps, index: past, newest: index },
    'en',
  );
  expect(other.changed_later).toBeNull();
});
