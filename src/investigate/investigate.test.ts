import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { type InvestigateDeps, investigate } from './investigate.ts';
import { buildShop, SHOP_TRACE, type ShopHistory } from './testing.ts';

let shop: ShopHistory;
let index: RepositoryIndex;
let deps: InvestigateDeps;

beforeAll(async () => {
  shop = await buildShop();
  index = await indexRepository(shop.repository.path, 'main');
  deps = { repo: shop.repository.path, index, sessions: [], now: '2024-03-01T00:00:00Z' };
});
afterAll(() => shop.repository.remove());

const hash = (commit: number) => index.commits.oid(commit);

test('a regression yields file, line, suspect, the fix it reverted, and a patch that applies', async () => {
  const found = await investigate({ error_message: SHOP_TRACE }, deps);
  expect(found.places[0]).toMatchObject({ path: 'src/checkout/total.js', focus: 13, source: 'frame' });
  expect(found.frames.map(({ path }) => path)).toEqual([
    'src/checkout/total.js',
    'src/checkout/total.js',
    'src/server.js',
  ]);
  expect(hash(found.suspects[0]!.commit)).toBe(shop.culprit);
  expect(found.suspects[0]!.hunk?.lines).toContainEqual({
    kind: 'delete',
    text: '  if (discount === undefined) return cents;',
  });
  expect(hash(found.precedents[0]!.commit)).toBe(shop.fix);
  expect(found.precedents[0]!.outcome).toMatchObject({ state: 'reverted', undone_by: shop.culprit });
  expect(found.patch?.text).toContain('+  if (discount === undefined) return cents;');
  expect(hash(found.introduction!.commit)).toBe(await shop.repository.head(`${shop.culprit}~10`));
  expect(found.confidence.abstained).toBe(false);
});

test('an error without frames leads to the line that produces its message', async () => {
  const error_message = 'Error: Unknown region atlantis for currency doubloon, no tax rate is known';
  const found = await investigate({ error_message }, deps);
  expect(found.origins[0]).toMatchObject({ path: 'src/region.js', lines: [6, 6] });
  expect(found.places[0]).toMatchObject({
    path: 'src/region.js',
    focus: 6,
    source: 'origin',
    symbol: 'taxRate',
  });
  expect(found.confidence.abstained).toBe(false);
});

test('a translated message leads to the code that looks up its key', async () => {
  const repository = await buildRepository(async (repo) => {
    await repo.commit({
      files: {
        'locales/de.yml': 'de:\n  orders:\n    closed: Bestellung %{id} ist geschlossen\n',
        'src/order.js': "export function close(id) {\n  throw new Error(t('orders.closed', { id }));\n}\n",
      },
    });
  });
  try {
    const own = await indexRepository(repository.path, 'main');
    const error_message = 'Error: Bestellung 12 ist geschlossen';
    const { origins } = await investigate({ error_message }, { ...deps, repo: repository.path, index: own });
    expect(origins.map(({ path, lines }) => [path, lines[0]])).toEqual([
      ['src/order.js', 2],
      ['locales/de.yml', 3],
    ]);
  } finally {
    await repository.remove();
  }
});

test('files outside the program are no places, unless the error names them', async () => {
  const files = {
    '.github/workflows/release.yml': 'name: release the parcel label printer\n# print parcel labels\n',
    'CHANGELOG.md': '# Parcel label printer\n\n- Print parcel labels\n',
    'src/printer.js': 'export function printLabel(parcel) {\n  return parcel.label;\n}\n',
  };
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Print labels', files });
  });
  const own = await indexRepository(repository.path, 'main');
  const placesOf = async (error_message: string) => {
    const found = await investigate({ error_message }, { ...deps, repo: repository.path, index: own });
    return found.places.map(({ path }) => path);
  };
  expect(await placesOf('the parcel label printer prints no labels since the release')).toEqual([
    'src/printer.js',
  ]);
  expect(await placesOf('Error: bad label in .github/workflows/release.yml line 1')).toContain(
    '.github/workflows/release.yml',
  );
  await repository.remove();
});

test('a frame with an outdated line is placed by its function', async () => {
  const found = await investigate({ error_message: SHOP_TRACE.replace(':13:48', ':90:1') }, deps);
  expect(found.frames[0]).toMatchObject({ path: 'src/checkout/total.js', line: 11, hasMoved: true });
});

test('every piece of evidence quotes the repository', async () => {
  const found = await investigate({ error_message: SHOP_TRACE, file_path: 'src/money.js' }, deps);
  expect(found.evidence.map(({ id }) => id)).toEqual(found.evidence.map((_, i) => `e${i + 1}`));
  for (const { kind, path, lines, commit, quote } of found.evidence) {
    expect(index.commits.find(commit!), kind).toBeGreaterThanOrEqual(0);
    if (kind !== 'frame' && kind !== 'place' && kind !== 'origin') continue;
    const source = await showFile(path!);
    if (lines)
      expect(source.slice(lines[0] - 1, lines[1] + 2).join('\n'), kind).toContain(quote.split('\n')[0]);
  }
  expect(found.frames.at(-1)).toMatchObject({ path: 'src/money.js', line: null });
});

test.each(['Please help, nothing works any more!!', 'asdf qwer', '?', 'null', 'It is broken'])(
  '%j names no cause',
  async (error_message) => {
    const found = await investigate({ error_message }, deps);
    expect(found.confidence.abstained).toBe(true);
    expect(found.patch).toBeNull();
  },
);

test('frames of other programs are not placed', async () => {
  const error_message = `TypeError: boom
    at run (/app/node_modules/left-pad/index.js:3:1)
    at node:internal/main/run_main_module:28:49`;
  const found = await investigate({ error_message }, deps);
  expect(found.frames).toEqual([]);
  expect(found.confidence.abstained).toBe(true);
});

test('before code is indexed, only commits are evidence', async () => {
  const found = await investigate(
    { error_message: SHOP_TRACE },
    { ...deps, index: { ...index, code: null } },
  );
  expect(found.places).toEqual([]);
  expect(found.confidence.abstained).toBe(true);
  expect(found.suspects.length).toBeGreaterThan(0);
});

test('an earlier session about the same error is found', async () => {
  const past = {
    id: 's1',
    title: 'TypeError',
    solution: '',
    helpful: true,
    seenAt: '2024-02-20T00:00:00.000Z',
  };
  const sessions = [
    { ...past, id: 's2', error: 'Error: Unknown currency' },
    { ...past, error: SHOP_TRACE.replace(':13:48', ':14:48') },
  ];
  const found = await investigate({ error_message: SHOP_TRACE }, { ...deps, sessions });
  expect(found.sessions.map(({ session, similarity }) => [session.id, similarity])).toEqual([['s1', 1]]);
});

test.each([
  '>'.repeat(5_000),
  `${'['.repeat(20_000)}`,
  '\0\u202e\ud800'.repeat(2_000),
  '$(rm -rf /) `x` "; drop table',
  '-O --output=/tmp/x\n:(glob)**\n../../etc/passwd:1',
  '    at constructor (__proto__:1:1)\n    at hasOwnProperty (constructor.js:1:1)',
  'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(1_900),
  `  File "${'a/'.repeat(400)}total.js", line 99999999, in f\nE: x`,
  '全く動きません、助けてください',
])('hostile text %# is answered', async (error_message) => {
  const found = await investigate({ error_message, file_path: error_message.slice(0, 1024) }, deps);
  expect(found.confidence.value).toBeLessThanOrEqual(1);
});

test('an aborted investigation ends with an error', async () => {
  await expect(
    investigate({ error_message: SHOP_TRACE }, { ...deps, signal: AbortSignal.abort() }),
  ).rejects.toThrow();
});

async function showFile(path: string): Promise<string[]> {
  const { openSourceReader: openSourceText } = await import('./locate/source-reader.ts');
  const sources = openSourceText(shop.repository.path, index);
  try {
    return (await sources.lines(path)) ?? [];
  } finally {
    sources.close();
  }
}
