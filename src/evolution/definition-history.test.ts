import { afterAll, beforeAll, expect, test } from 'vitest';
import { log } from '#git/log.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { traceDefinition } from './definition-history.ts';
import { lastName, listDefinitionVersions } from './definition-versions.ts';
import { collectCommits } from './testing-history.ts';

const method = (name: string, body: string, parameters = 'int[] all') =>
  `  int ${name}(${parameters}) {\n    int sum = 0;\n    for (int one : all) {\n      ${body}\n    }\n    return sum;\n  }\n`;
const around = (name: string, ...members: string[]) => `class ${name} {\n${members.join('\n')}}\n`;
const SIZE = '  int size;\n';
const OTHER = '  void log(String text) {\n    System.out.println(text);\n  }\n';
const OVERLOAD = '  int total() {\n    return total(new int[0]);\n  }\n';
const DOCUMENTED = `  /** Adds up. */\n${method('total', 'sum += one;', 'int[] all, int from')}`;

let repository: TestRepository;
let table: Awaited<ReturnType<typeof collectCommits>>;
const made: Record<string, string> = {};

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const commit = async (name: string, files: Record<string, string | null>) => {
      made[name] = await repo.commit({ files });
    };
    const unrelated = around('Basket', OTHER, SIZE);
    await commit('introduced', {
      'Sums.java': around('Sums', OTHER, method('sum', 'sum = sum + one;')),
      'Basket.java': unrelated,
    });
    await commit('neighbour', {
      'Sums.java': around('Sums', OTHER.replace('text)', '"> " + text)'), method('sum', 'sum = sum + one;')),
    });
    await commit('renamed', { 'Sums.java': around('Sums', OTHER, method('total', 'sum = sum + one;')) });
    await commit('moved', {
      'Sums.java': around('Sums', OTHER),
      'Basket.java': around('Basket', OTHER, SIZE, method('total', 'sum = sum + one;')),
    });
    await commit('changed', { 'Basket.java': around('Basket', OTHER, SIZE, method('total', 'sum += one;')) });
    await commit('overload', {
      'Basket.java': around('Basket', OVERLOAD, OTHER, SIZE, method('total', 'sum += one;')),
    });
    await commit('signature', {
      'Basket.java': around('Basket', OVERLOAD, OTHER, method('total', 'sum += one;', 'int[] all, int from')),
    });
    await commit('documented', { 'Basket.java': around('Basket', OVERLOAD, OTHER, DOCUMENTED) });
    await repo.rename('Basket.java', 'shop/Basket.java');
    made.folder = await repo.head();
    await commit('classRenamed', {
      'shop/Basket.java': null,
      'shop/Cart.java': around('Cart', OVERLOAD, OTHER, DOCUMENTED),
    });
  });
  table = await collectCommits(log(repository.path, { from: await repository.head() }));
});
afterAll(() => repository.remove());

async function trace(name: string, parameters: string, maxChanges = 50) {
  const path = 'shop/Cart.java';
  const text = around('Cart', OVERLOAD, OTHER, DOCUMENTED);
  const definitions = await listDefinitionVersions(path, text);
  const { start, end } = definitions.find((one) => one.name === name && one.parameters === parameters)!;
  const request = { repo: repository.path, commits: table, path, text, name, start, end, maxChanges };
  const { changes, complete } = (await traceDefinition(request))!;
  const names = Object.keys(made);
  const label = (oid: string) => names.find((one) => made[one] === oid);
  return { changes: changes.map((one) => ({ ...one, label: label(table.oid(one.commit)) })), complete };
}

test('a method is followed through signatures, moves and renames, past changes of its neighbours', async () => {
  const { changes, complete } = await trace('Cart.total', 'total(int[]all,intfrom');
  expect(
    changes.map(({ label, movedFrom, before }) => [label, movedFrom, before ? lastName(before.name) : null]),
  ).toEqual([
    ['classRenamed', 'shop/Basket.java', 'total'],
    ['folder', 'Basket.java', 'total'],
    ['documented', null, 'total'],
    ['signature', null, 'total'],
    ['changed', null, 'total'],
    ['moved', 'Sums.java', 'total'],
    ['renamed', null, 'sum'],
    ['introduced', null, null],
  ]);
  expect(complete).toBe(true);
  expect((await trace('Cart.total', 'total(int[]all,intfrom', 2)).complete).toBe(false);
});

test('an overload ends where it was added, however similar another definition is', async () => {
  const { changes } = await trace('Cart.total', 'total(');
  expect(changes.map(({ label }) => label)).toEqual(['classRenamed', 'folder', 'overload']);
  expect(changes.at(-1)).toMatchObject({ before: null, movedFrom: null });
});
