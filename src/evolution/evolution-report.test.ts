import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { isBot } from './authors.ts';
import { measureCoupling, measureEvolution } from './evolution-report.ts';

let repository: TestRepository;
let index: RepositoryIndex;
const oids: Record<string, string> = {};

const branches = (count: number, note: string) =>
  `// if it rains ${note}\n${'export function f(a) {\n  if (a) return 1;\n}\n'.repeat(count)}`;

/** Two people under three names, a program, a rename, a fix, a revert, and two files that change together. */
beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const ada = { author: 'Ada', email: 'ada@example.org' };
    const lovelace = { author: 'A. Lovelace', email: 'countess@example.org' };
    const bob = { author: 'Bob', email: 'bob@example.org' };
    const on = (day: string) => ({ date: `${day}T12:00:00Z` });
    oids.first = await repo.commit({
      ...ada,
      ...on('2023-01-10'),
      message: 'Start',
      files: {
        '.mailmap': 'Ada Lovelace <ada@example.org> <countess@example.org>\nAda Lovelace <ada@example.org>\n',
        'src/old.js': branches(3, 'a'),
        'src/pay/price.js': branches(1, 'a'),
        'web/view.js': branches(2, 'a'),
        'README.md': 'Shop\n',
      },
    });
    await repo.rename('src/old.js', 'src/cart.js', {
      ...ada,
      ...on('2023-02-01'),
      message: 'Rename the cart',
    });
    for (const [i, day] of ['2024-03-04', '2024-03-11', '2024-04-08'].entries()) {
      oids[`together${i}`] = await repo.commit({
        ...bob,
        ...on(day),
        message: `Change prices, ${i}`,
        files: { 'src/pay/price.js': branches(1, `b${i}`), 'web/view.js': branches(2, `b${i}`) },
      });
    }
    oids.fix = await repo.commit({
      ...lovelace,
      ...on('2024-04-10'),
      message: 'Fix crash without a price',
      files: { 'src/pay/price.js': branches(1, 'c') },
    });
    await repo.commit({
      author: 'dependabot[bot]',
      email: 'bot@example.org',
      ...on('2024-04-20'),
      message: 'Bump',
      files: { 'src/cart.js': branches(3, 'd') },
    });
    await repo.revert(oids.fix, { ...bob, ...on('2024-06-20') });
  });
  index = await indexRepository(repository.path);
});

afterAll(() => repository.remove());

const measure = (query: Parameters<typeof measureEvolution>[1] = {}) =>
  measureEvolution({ repo: repository.path, index }, query);

test('the default scope is the year before the newest commit', async () => {
  const { scope, unit, periods } = await measure();
  expect(scope).toEqual({
    ...{ commit: index.revision, path: '', from: '2023-06-21', to: '2024-06-20' },
    ...{ first_day: '2023-01-10', last_day: '2024-06-20' },
  });
  expect(unit).toBe('week');
  // Weeks from Monday 19 June 2023 to Monday 17 June 2024.
  expect([periods.length, periods[0]!.start, periods.at(-1)!.start]).toEqual([
    53,
    '2023-06-19',
    '2024-06-17',
  ]);
});

test('counts commits, people, fixes and reverts; one person has one name, programs are set apart', async () => {
  const { activity, periods, fixes } = await measure();
  expect(activity).toMatchObject({ commits: 6, bot_commits: 1, people: 2, new_people: 1 });
  expect(
    activity.contributors.map(({ name, commits, first_day, last_day }) => [
      name,
      commits,
      first_day,
      last_day,
    ]),
  ).toEqual([
    ['Bob', 4, '2024-03-04', '2024-06-20'],
    ['Ada Lovelace', 1, '2024-04-10', '2024-04-10'],
  ]);
  expect(activity.bots.map(({ name }) => name)).toEqual(['dependabot[bot]']);
  expect(periods.find(({ start }) => start === '2024-04-08')).toEqual({
    ...{ start: '2024-04-08', commits: 2, bots: 0, people: 2, fixes: 1, reverts: 0 },
  });
  expect(fixes).toMatchObject({ fixes: 1, reverts: 1, count: 1 });
  expect(fixes.files[0]).toMatchObject({
    path: 'src/pay/price.js',
    fixes: 1,
    changes: 5,
    last_fix: oids.fix,
  });
});

test('people whose first names are those of services are no bots', () => {
  const names = [
    'dependabot[bot]',
    'renovate',
    'Travis CI',
    'my-bot',
    'Travis Pew',
    'Abbot',
    'Jenkins Smith',
  ];
  expect(names.filter(isBot)).toEqual(['dependabot[bot]', 'renovate', 'Travis CI', 'my-bot']);
});

test('a folder and its days narrow everything; days outside the history are clamped', async () => {
  const { scope, activity, hotspots } = await measure({
    from: '1999-01-01',
    to: '2024-03-11',
    path: '/web/',
  });
  expect(scope).toMatchObject({ from: '2023-01-10', to: '2024-03-11', path: 'web' });
  expect(activity.commits).toBe(3);
  expect(hotspots.files.map(({ path, changes }) => [path, changes])).toEqual([['web/view.js', 3]]);
  const none = await measure({ from: '2024-05-01', to: '2024-05-31' });
  expect([none.activity.commits, none.hotspots.count, none.fixes.concentration]).toEqual([0, 0, null]);
  expect((await measure({ path: 'no/such' })).activity.commits).toBe(0);
});

test('hotspots weigh changes by branches, without those in comments; renamed files keep their changes', async () => {
  const { hotspots } = await measure({ from: '2023-01-01' });
  // Changes × branches: cart 3 × 3 (added, renamed, bumped), view 4 × 2, price 6 × 1. Documentation is no source.
  expect(hotspots.files.map(({ path, changes, decisions }) => [path, changes, decisions])).toEqual([
    ['src/cart.js', 3, 3],
    ['web/view.js', 4, 2],
    ['src/pay/price.js', 6, 1],
  ]);
  // One file has 6 of 13 changes, which is more than a third.
  expect(hotspots.concentration).toEqual({ top: 1, of: 3, share: 6 / 13 });
});

test('coupled files are surprising when they are apart and neither mentions the other', async () => {
  const { pairs } = await measureCoupling({ repo: repository.path, index }, { from: '2024-01-01' });
  expect(pairs).toEqual([
    {
      ...{ a: 'src/pay/price.js', b: 'web/view.js', together: 3, changes_a: 5, changes_b: 3 },
      ...{ last_commit: oids.together2, surprising: true },
    },
  ]);
});

test('knowledge: degree of authorship, bus factor, and files whose authors are gone', async () => {
  const { knowledge } = await measure();
  // Ada added all three files; Bob's three or four changes reach three quarters of her degree in two of them.
  expect(knowledge).toMatchObject({ files: 3, bus_factor: 2, people_count: 2, orphaned_count: 0 });
  expect(knowledge.people.map(({ name, files, active }) => [name, files, active])).toEqual([
    ['Ada Lovelace', 3, true],
    ['Bob', 2, true],
  ]);
  // Before Bob came, and a year after Ada's last commit, no one is left.
  const early = await measure({ from: '2023-01-01', to: '2024-02-29' });
  expect(early.knowledge).toMatchObject({ files: 3, bus_factor: 1, people_count: 1, orphaned_count: 3 });
  expect(early.knowledge.orphaned[0]).toMatchObject({
    path: 'src/cart.js',
    owner: 'Ada Lovelace',
    last_day: '2023-02-01',
  });
});

test('risk: changes that a fix of the same file followed within 30 days', async () => {
  const { risk } = await measure({ from: '2024-01-01' });
  // price.js: the changes of 11 March and 8 April lie within 30 days before the fix of 10 April, that of 4 March does not.
  const src = risk.find(({ path }) => path === 'src')!;
  expect(src).toMatchObject({ files: 2, people: 2, changes: 6, judged: 5, followed: 2 });
  expect(risk.find(({ path }) => path === 'web')).toMatchObject({ changes: 3, judged: 3, followed: 0 });
  // Wilson's interval of 2 in 5.
  expect(src.interval!.low).toBeCloseTo(0.1176, 3);
  expect(src.interval!.high).toBeCloseTo(0.7693, 3);
});
