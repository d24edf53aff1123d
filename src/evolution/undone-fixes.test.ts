import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { findFixChanges } from './changed-fixes.ts';

const BROKEN = [
  'export function total(cart) {',
  '  const sum = cart.items.reduce(addPrice, 0);',
  '  return sum - cart.discount.cents;',
  '}',
];
const GUARD = ['  if (!cart.items) {', "    throw new TypeError('The cart has no list of items');", '  }'];
const FIXED = [BROKEN[0]!, ...GUARD, ...BROKEN.slice(1)];

let repository: TestRepository;
let fix: string;
let write: (message: string, lines: string[], path?: string) => Promise<string>;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    write = (message, lines, path = 'src/total.js') =>
      repo.commit({ message, files: { [path]: `${lines.join('\n')}\n` } });
    await write('Add totals', BROKEN);
    fix = await write('Fix crash for carts without items', FIXED);
  });
});
afterAll(() => repository.remove());

/** Fixes that the newest commit undid. */
async function undoneBy(head: string) {
  const { undone } = await findFixChanges({ repo: repository.path, head, base: null, maxCommits: 1 });
  return undone;
}

/** Commits a change of the fixed file on a branch of its own. */
async function change(name: string, message: string, lines: string[]): Promise<string> {
  await repository.branch(name, fix);
  return await write(message, lines);
}

test('a commit that removes the condition that a fix added is found with its place', async () => {
  const head = await change('removed', 'Simplify totals', BROKEN);
  expect(await undoneBy(head)).toEqual([
    {
      ...{ commit: head, subject: 'Simplify totals', author: expect.any(String) },
      ...{ committed: expect.any(Number), fix, fixSubject: 'Fix crash for carts without items' },
      ...{ path: 'src/total.js', line: 2, basis: 'lines', added: 2, removed: 2 },
    },
  ]);
});

test('a revert is found by its message', async () => {
  await repository.branch('reverted', fix);
  expect(await undoneBy(await repository.revert(fix))).toMatchObject([{ fix, basis: 'revert' }]);
  await repository.branch('reverted-by-subject', fix);
  const message = 'Revert "Fix crash for carts without items" (#12)';
  expect(await undoneBy(await write(message, BROKEN))).toMatchObject([{ fix, basis: 'revert' }]);
});

test.each<[string, string[]]>([
  ['moved', [...BROKEN, 'function check(cart) {', ...GUARD, '}']],
  ['indented', FIXED.map((line) => `  ${line}`)],
  ['changed', FIXED.map((line) => line.replace('!cart.items', 'cart.items === undefined || !cart.items'))],
  ['extended', [...FIXED, 'export const EMPTY_TOTAL = 0;']],
  [
    'rewritten',
    ['export class Totals {', '  constructor(cart, prices) {', '    this.prices = prices;', '  }', '}'],
  ],
])('a fix that is %s is not undone', async (name, lines) => {
  expect(await undoneBy(await change(name, 'Work on totals', lines))).toEqual([]);
});

test('a test that a fix added counts, a document does not', async () => {
  const added = [
    "test('a cart without items is refused', () => {",
    '  expect(() => total({})).toThrow(TypeError);',
    '});',
  ];
  await repository.branch('tested', fix);
  await write('Begin tests', ["import { test } from 'node:test';"], 'test/total.test.js');
  const tested = await write(
    'Fix totals of empty carts',
    ["import { test } from 'node:test';", ...added],
    'test/total.test.js',
  );
  const head = await write('Tidy up', ["import { test } from 'node:test';"], 'test/total.test.js');
  expect(await undoneBy(head)).toMatchObject([{ fix: tested, path: 'test/total.test.js' }]);
  await write(
    'Fix wrong command',
    ['Run the command with --force to go on.', 'It deletes the folder before it begins.'],
    'docs/use.md',
  );
  expect(await undoneBy(await write('Rewrite documents', ['Nothing.'], 'docs/use.md'))).toEqual([]);
});
