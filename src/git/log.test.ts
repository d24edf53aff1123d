import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LogCommit, log } from './log.ts';
import { buildRepository, type TestRepository } from './testing.ts';
import { writeExpanding } from './testing-expanding.ts';

let repo: TestRepository;

beforeAll(async () => {
  repo = await buildRepository(async () => {});
});
afterAll(() => repo.remove());

async function first(
  from: string,
  options: { maxChanges?: number; maxBytes?: number } = {},
): Promise<LogCommit> {
  for await (const commit of log(repo.path, { from, ...options })) return commit;
  throw new Error('no commit');
}

test('paths beyond 1,024 bytes, names beyond 255 and folders beyond 64 are counted and not kept', async () => {
  const write = writeExpanding(repo.path);
  const blob = await write.blob('x\n');
  const nested = async (depth: number, name: string) => {
    let tree = await write.tree([['100644', blob, 'file']]);
    for (let level = 0; level < depth; level++) tree = await write.tree([['040000', tree, name]]);
    return tree;
  };
  const tree = await write.tree([
    ['040000', await nested(6, 'd'.repeat(200)), 'long'],
    ['040000', await nested(70, 'd'), 'deep'],
    ['100644', blob, 'n'.repeat(256)],
    ['100644', blob, 'n'.repeat(255)],
    ['100644', blob, 'short'],
  ]);
  const commit = await first(await write.commit({ tree }));
  expect(commit.changes.map(({ path }) => path)).toEqual(['n'.repeat(255), 'short']);
  expect(commit.changeCount).toBe(5);
});

test('a commit with 100,000 paths of 3 KB is counted in little memory', async () => {
  const write = writeExpanding(repo.path);
  const oid = await write.commit({ tree: await write.wideTree({ folders: 100, files: 1000, depth: 15 }) });
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const commit = await first(oid, { maxChanges: 300 });
  expect(commit.changeCount).toBe(100_000);
  expect(commit.changes).toEqual([]);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
});

test('changes are kept up to a number, and counted beyond', async () => {
  const write = writeExpanding(repo.path);
  const oid = await write.commit({ tree: await write.wideTree({ folders: 10, files: 100, depth: 1 }) });
  const commit = await first(oid, { maxChanges: 300 });
  expect(commit.changes).toHaveLength(300);
  expect(commit.changeCount).toBe(1000);
});

test('messages, names and emails are cut', async () => {
  const write = writeExpanding(repo.path);
  const tree = await write.wideTree({ folders: 1, files: 1, depth: 0 });
  const oid = await write.commit({ tree, message: 'm'.repeat(5 * 2 ** 20), author: 'a'.repeat(2 ** 20) });
  const commit = await first(oid);
  expect(commit.message).toBe('m'.repeat(10_000));
  expect(commit.author).toBe('a'.repeat(200));
  expect(commit.changeCount).toBe(1);
});

test('a log ends at a number of bytes, with the commit that was being read', async () => {
  const write = writeExpanding(repo.path);
  const tree = await write.wideTree({ folders: 10, files: 1000, depth: 2 });
  const oldest = await write.commit({ tree: await write.tree([]) });
  const oid = await write.commit({ tree, parents: [oldest] });
  const read: string[] = [];
  for await (const commit of log(repo.path, { from: oid, maxBytes: 10_000 })) read.push(commit.oid);
  expect(read).toEqual([oid]);
});

test('where git takes too long to find renames, a commit is read without', async () => {
  const write = writeExpanding(repo.path);
  const before = await write.commit({ tree: await write.wideTree({ folders: 40, files: 1000, depth: 0 }) });
  const tree = await write.wideTree({ folders: 40, files: 1000, depth: 1 });
  const oid = await write.commit({ tree, parents: [before] });
  const read: LogCommit[] = [];
  for await (const commit of log(repo.path, { from: oid, renameMs: 300 })) read.push(commit);
  expect(read.map((commit) => commit.oid)).toEqual([oid, before]);
  expect(read[0]!.changeCount).toBeGreaterThanOrEqual(40_000);
}, 60_000);
