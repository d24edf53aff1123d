import { afterAll, beforeAll, expect, test } from 'vitest';
import { countCommits } from './count-commits.ts';
import { buildRepository, type TestRepository } from './testing.ts';

let repository: TestRepository;
const oids: string[] = [];

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    for (const name of ['one', 'two', 'three']) {
      oids.push(await repo.commit({ message: `Add ${name}`, files: { [name]: name } }));
    }
  });
});
afterAll(() => repository.remove());

test('counts what came after a commit', async () => {
  const [one, two, three] = oids as [string, string, string];
  expect(await countCommits(repository.path, { from: three, not: one })).toBe(2);
  expect(await countCommits(repository.path, { from: two, not: two })).toBe(0);
});

test('a head that does not go on from the old one, or an old one that is gone, has no count', async () => {
  const [one, , three] = oids as [string, string, string];
  expect(await countCommits(repository.path, { from: one, not: three })).toBeNull();
  expect(await countCommits(repository.path, { from: three, not: 'f'.repeat(40) })).toBeNull();
});

test('nothing but full hashes reaches git', async () => {
  await expect(countCommits(repository.path, { from: '--all', not: oids[0]! })).rejects.toMatchObject({
    code: 'bad_request',
  });
});
