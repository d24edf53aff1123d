import { afterAll, beforeAll, expect, test } from 'vitest';
import { showCommit } from '../src/git/diff.ts';
import { buildShop, type ShopHistory } from '../src/investigate/testing.ts';
import { indexRepository } from '../src/memory/testing.ts';
import { blameFixedLines } from './blame-fixed-lines.ts';
import { rankCauses } from './rank-causes.ts';

let shop: ShopHistory;

beforeAll(async () => {
  shop = await buildShop();
});
afterAll(() => shop.repository.remove());

/** A fix of the shop, with the index before it. */
async function before(fix: string) {
  const repo = shop.repository.path;
  const index = await indexRepository(repo, await shop.repository.head(`${fix}~1`));
  return { index, repo, diffs: await showCommit(repo, fix), now: index.commits.time(0) };
}

test('the cause of a fix is blamed for the lines it deleted', async () => {
  const { index, repo, diffs, now } = await before(shop.refix);
  const { deleted } = await blameFixedLines(diffs, { repo, index });
  expect([...deleted.keys()].map((commit) => index.commits.oid(commit))).toEqual([shop.refixedFix]);
  const [cause] = await rankCauses({ message: 'Fix negative amounts in money', diffs }, { repo, index, now });
  expect(index.commits.oid(cause!)).toBe(shop.refixedFix);
});

test('a fix that only adds lines blames the adjacent ones', async () => {
  const { index, repo, diffs, now } = await before(shop.fix);
  const blamed = await blameFixedLines(diffs, { repo, index });
  expect(blamed.deleted.size).toBe(0);
  const [first] = [...blamed.adjacent.keys()];
  expect(index.commits.subject(first!)).toBe('Print totals');
  const ranked = await rankCauses({ message: 'Fix crash', diffs }, { repo, index, now });
  expect(ranked[0]).toBe(first);
});

test('a fix of missing files blames no lines', async () => {
  const { index, repo, diffs, now } = await before(shop.fix);
  const otherPath = diffs.map((diff) => ({ ...diff, old_path: 'gone.js', new_path: 'gone.js' }));
  const blamed = await blameFixedLines(otherPath, { repo, index });
  expect(Object.values(blamed).every((lines) => lines.size === 0)).toBe(true);
  await expect(rankCauses({ message: '', diffs: otherPath }, { repo, index, now })).resolves.toBeInstanceOf(
    Array,
  );
});
