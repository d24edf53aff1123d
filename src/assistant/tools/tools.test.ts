import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { spawnCount } from '#git/testing-spawn-count.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { buildShop, SHOP_TRACE, type ShopHistory } from '#investigate/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { isResolvable } from '../answer/citations.ts';
import { requireTool, TOOLS } from './registry.ts';
import { MAX_RESULT_LENGTH, type ToolContext } from './tool.ts';

let shop: ShopHistory;
let index: RepositoryIndex;
let context: ToolContext;

beforeAll(async () => {
  shop = await buildShop();
  const repo = shop.repository.path;
  index = await indexRepository(repo, 'main');
  const now = Date.parse('2024-03-01T00:00:00Z') / 1000;
  context = { repo, index, sources: openSourceReader(repo, index), hunks: null, now };
  // Another user's unpushed work, which must not be readable through the indexed head.
  await shop.repository.branch('hindsight/eve');
  await shop.repository.commit({ message: 'Private work', files: { 'secret.js': 'const hidden = 1;\n' } });
});
afterAll(async () => {
  context.sources.close();
  await shop.repository.remove();
});

const use = async (name: string, input: unknown) => (await requireTool(name).run(input, context)).text;

test('every tool is plain data with a description and named inputs', () => {
  expect(TOOLS).toHaveLength(18);
  for (const tool of TOOLS) {
    expect(tool.name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(tool.description.length).toBeGreaterThan(40);
    expect(tool.readOnly).toBe(true);
    expect(z.toJSONSchema(tool.input, { io: 'input' })).toMatchObject({ type: 'object' });
  }
  expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
});

test.each([
  ['search_code', { query: 'tax rates of regions' }, /`src\/region\.js:\d+-\d+ @ .*Know the tax rates/],
  [
    'search_commits',
    { query: 'discount' },
    /“Accept discount codes in any case” \(Alan Turing, 2024-01-15\)/,
  ],
  [
    'search_commits',
    { author: 'grace', since: '2023-04-01', until: '2023-04-30' },
    /^- \S+ “Know the tax rates/,
  ],
  ['search_commits', { path: 'src/checkout/total.js' }, /“Print totals”/],
  ['search_changes', { query: 'discount' }, /have not been indexed/],
  [
    'read_file',
    { path: 'src/region.js', from: 3, to: 4 },
    /region\.js:3-4 @ .* lines:\n\n```\n3\texport function taxRate/,
  ],
  ['list_tree', {}, /- `src\/`/],
  ['list_tree', { path: 'src/' }, /- `src\/money\.js` \d+ bytes|- `money\.js` \d+ bytes/],
  ['describe_file', { path: 'src/money.js' }, /Defines:\n\n- `format` in `src\/money\.js:1-3/],
  [
    'find_symbol',
    { name: 'applyDiscount()' },
    /`applyDiscount` is defined in `src\/checkout\/total\.js:\d+-\d+ @/,
  ],
  ['find_symbol', { name: 'format', references: true }, /`format` has \d+ references in \d+ files?/],
  [
    'blame_lines',
    { path: 'src/region.js', from: 1, to: 4 },
    /^- `src\/region\.js:1-4 @ \w+` `\w+` “Know the tax rates/,
  ],
  [
    'file_history',
    { path: 'src/checkout/total.js' },
    /Previously named `src\/checkout\.js`.*“Print totals”/s,
  ],
  ['function_history', { name: 'applyDiscount' }, /the newest change first:.*```diff\n@@/s],
  ['hotspots', {}, /- `src\/checkout\/total\.js:1-1 @ \w+`: \d+ commits/],
  ['hotspots', { path: 'src/checkout' }, /^Most frequently changed files in `src\/checkout`/],
  ['co_changed', { path: 'src/money.js' }, /`README\.md:1-1 @ \w+`: in \d+ of \d+ commits \(\d+%\)/],
  [
    'similar_fixes',
    { text: 'crash with an unknown discount code' },
    /“Fix crash when a discount code is unknown”/,
  ],
  ['issues', { number: 7 }, /^No issue with the number 7 is imported/],
  ['investigate_error', { error: SHOP_TRACE }, /### Root cause.*src\/checkout\/total\.js/s],
] as const)('%s %j', async (name, input, expected) => {
  const { text, citations } = await requireTool(name).run(input, context);
  expect(text).toMatch(expected);
  expect(text.length).toBeLessThanOrEqual(MAX_RESULT_LENGTH);
  for (const citation of citations) expect(await isResolvable(citation, context)).toBe(true);
});

test('the probabilities of an error are those of its place and cause', async () => {
  const answer = await use('investigate_error', { error: SHOP_TRACE });
  expect(answer).toMatch(/Probability that the right file is among the first three places: \d+%\./);
  expect(await use('investigate_error', { error: 'zzqq something odd' })).toMatch(
    /There is not enough evidence for a conclusion\.$/,
  );
});

test('a commit is described, and two are compared', async () => {
  expect(await use('show_commit', { commit: shop.refixedFix })).toContain(
    'The fix did not last: its lines were fixed again',
  );
  const compared = await use('compare_revisions', { from: shop.fix, to: shop.revert });
  expect(compared).toMatch(/3 commits, 1 file\./);
  expect(compared).toContain('“Know the tax rates of regions”');
  expect(await use('compare_revisions', { from: shop.fix, path: 'src/region.js' })).toContain(
    '1 commit, 1 file',
  );
});

test('a file is read at an old revision', async () => {
  const before = await use('read_file', { path: 'src/checkout.js', revision: shop.fix });
  expect(before).toMatch(/`src\/checkout\.js:1-\d+ @ /);
  await expect(use('read_file', { path: 'src/checkout.js' })).rejects.toMatchObject({ code: 'not_found' });
});

test('commits that the head does not reach are not found', async () => {
  const hidden = await shop.repository.head('hindsight/eve');
  for (const revision of [hidden, 'hindsight/eve', hidden.slice(0, 10)]) {
    await expect(use('read_file', { path: 'secret.js', revision })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(use('show_commit', { commit: revision })).rejects.toMatchObject({ code: 'not_found' });
    await expect(use('list_tree', { revision })).rejects.toMatchObject({ code: 'not_found' });
    await expect(use('compare_revisions', { from: shop.fix, to: revision })).rejects.toMatchObject({
      code: 'not_found',
    });
  }
});

const HOSTILE = [
  '--output=/tmp/x',
  '-x',
  '../../etc/passwd',
  '/etc/passwd',
  'a\0b',
  ':(glob)**',
  'HEAD@{1}',
  'main..evil',
  '$(id)',
  '`id`; rm -rf /',
  '.git/config',
  '(?:a+)+$',
  'x'.repeat(100_000),
  '\u202e',
  '',
];

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  '%s withstands hostile arguments',
  async (_name, tool) => {
    const fields = Object.keys(tool.input.shape);
    for (const text of HOSTILE) {
      for (const hostile of fields) {
        const input = Object.fromEntries(
          fields.flatMap((field): [string, unknown][] => {
            if (field === hostile) return [[field, text]];
            if (['from', 'to'].includes(field))
              return [[field, tool.name === 'compare_revisions' ? shop.fix : 1]];
            if (['path', 'file_path'].includes(field)) return [[field, 'src/money.js']];
            return tool.input.shape[field]?.safeParse(undefined).success ? [] : [[field, 'money']];
          }),
        );
        const outcome = await tool.run(input, context).catch((error) => error);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'AppError' });
        else expect(outcome.text).not.toMatch(/root:x:0|uid=0/);
        if (outcome instanceof Error)
          expect(['internal', 'unavailable']).not.toContain((outcome as { code?: string }).code);
      }
    }
  },
);

test('input that is not an object, or has wrong types, is rejected before git runs', async () => {
  const before = spawnCount();
  for (const input of [
    null,
    1,
    [],
    'x',
    { path: 1 },
    { path: ['a'] },
    { path: 'a', from: -1 },
    { path: 'a', from: 1e99 },
  ]) {
    await expect(requireTool('read_file').run(input, context)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  }
  expect(spawnCount()).toBe(before);
  expect(() => requireTool('rm')).toThrow('no tool');
});
