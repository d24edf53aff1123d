import { afterAll, expect, test } from 'vitest';
import { revertTree } from './revert.ts';
import { git } from './run.ts';
import { buildRepository } from './testing.ts';

const by = { name: 'Ada', email: 'ada@example.org', time: 1_800_000_000 };
const LINES = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n7\n${last}\n`;
let first = '';
let change = '';
let later = '';
let over = '';

const repository = await buildRepository(async (repo) => {
  first = await repo.commit({ files: { 'a.txt': LINES('1', '8'), 'b.txt': 'x\n' } });
  change = await repo.commit({
    message: 'Change "it"',
    files: { 'a.txt': LINES('one', '8'), 'b.txt': null },
  });
  later = await repo.commit({ files: { 'a.txt': LINES('one', 'eight'), 'c.txt': 'c\n' } });
  over = await repo.commit({ files: { 'a.txt': LINES('ONE', 'eight') } });
});
afterAll(() => repository.remove());

const repo = repository.path;
const show = async (spec: string) =>
  (await git(repo, ['cat-file', '-p', spec], { name: 'cat-file' })).stdout.toString();

test('a revert takes the whole commit out and keeps what came after it', async () => {
  const { tree, conflicts, subject } = await revertTree(repo, { commit: change, head: later, by });
  expect({ conflicts, subject }).toEqual({ conflicts: [], subject: 'Change "it"' });
  expect(await show(`${tree}:a.txt`)).toBe(LINES('1', 'eight'));
  expect(await show(`${tree}:b.txt`)).toBe('x\n');
  expect(await show(`${tree}:c.txt`)).toBe('c\n');
});

test('lines that were changed again conflict; the first commit is refused', async () => {
  const { conflicts } = await revertTree(repo, { commit: change, head: over, by });
  expect(conflicts.map(({ path }) => path)).toEqual(['a.txt']);
  await expect(revertTree(repo, { commit: first, head: over, by })).rejects.toThrow(/cannot be reverted/);
});
