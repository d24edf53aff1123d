import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { type ExpandingWriter, writeExpanding } from '#git/testing-expanding.ts';
import { buildChangeIndex } from './changes/build-change-index.ts';
import { closeChangeIndex, openChangeIndex } from './changes/change-index.ts';
import { buildIndex } from './index/build-index.ts';
import { openIndex, readGeneration } from './index/generation-reader.ts';
import { indexRevision } from './index/index-revision.ts';
import type { IndexLimits } from './limits.ts';
import type { RepositoryIndex } from './repository-index.ts';

const MEBIBYTE = 2 ** 20;
const LIMITS: IndexLimits = { maxFileBytes: MEBIBYTE, maxEntries: 500_000 };

let repo: TestRepository;
let write: ExpandingWriter;
let folder: string;

beforeAll(async () => {
  repo = await buildRepository(async () => {});
  write = writeExpanding(repo.path);
  folder = mkdtempSync(join(tmpdir(), 'hindsight-limits-'));
});
afterAll(async () => {
  await repo.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function indexCommit(
  revision: string,
  more: { limits?: Partial<IndexLimits>; previous?: string } = {},
) {
  let name = '';
  const { coverage } = await buildIndex({
    repo: repo.path,
    revision,
    directory: folder,
    previous: more.previous ?? null,
    limits: { ...LIMITS, ...more.limits },
    onProgress: () => {},
    onGeneration: async (generation) => {
      name = generation.name;
    },
    signal: new AbortController().signal,
  });
  const files = readdirSync(join(folder, name)).map((file) => statSync(join(folder, name, file)).size);
  const bytes = files.reduce((sum, size) => sum + size, 0);
  const open = async (): Promise<RepositoryIndex> => openIndex(await readGeneration(folder, name));
  return { coverage, name, bytes, open };
}

/** Commits on top of each other, each with a tree of its own; returns them oldest first. */
async function history(count: number, tree: (number: number) => Promise<string>, first?: string) {
  const oids: string[] = first ? [first] : [];
  for (let number = 0; number < count; number++) {
    oids.push(await write.commit({ tree: await tree(number), parents: oids.slice(-1) }));
  }
  return oids;
}

const newPaths = (depth: number, files: number) => (number: number) =>
  write.wideTree({ folders: 1, files, depth, seed: `${number}-` });

test('beyond the index size limit the newest commits are indexed and the oldest counted', async () => {
  const oids = await history(30, newPaths(4, 2000));
  const built = await indexCommit(oids.at(-1)!, { limits: { maxIndexMb: 8 } });
  const { commits, commits_omitted = 0 } = built.coverage;
  expect(commits).toBeGreaterThanOrEqual(2);
  expect(commits + commits_omitted).toBe(30);
  expect(commits_omitted).toBeGreaterThan(10);
  expect(built.bytes).toBeLessThan(20 * MEBIBYTE);
  const index = await built.open();
  expect(index.commits.oid(0)).toBe(oids.at(-1));
  expect(index.commits.paths(0)).toHaveLength(4000);

  const next = await write.commit({ tree: await newPaths(1, 10)(99), parents: oids.slice(-1) });
  const refreshed = await indexCommit(next, { limits: { maxIndexMb: 8 }, previous: built.name });
  expect((await refreshed.open()).commits.oid(0)).toBe(next);
  expect(refreshed.coverage.commits + refreshed.coverage.commits_omitted!).toBe(31);
});

test('an index that grows by refreshes respects its size limit', async () => {
  let revision: string | undefined;
  let previous: string | undefined;
  for (let round = 0; round < 4; round++) {
    const oids = await history(5, (number) => newPaths(4, 1000)(100 + round * 5 + number), revision);
    revision = oids.at(-1)!;
    const built = await indexCommit(revision, { limits: { maxIndexMb: 8 }, previous });
    previous = built.name;
    expect(built.bytes).toBeLessThan(20 * MEBIBYTE);
    expect((await built.open()).commits.oid(0)).toBe(revision);
  }
});

test('commits with 15,000 new paths of 3 KB each become a small index', async () => {
  const oids = await history(3, newPaths(15, 15_000));
  const built = await indexCommit(oids.at(-1)!);
  expect(built.bytes).toBeLessThan(64 * MEBIBYTE);
  const { commits, commits_omitted = 0, changes_omitted = 0, files, indexed, skipped } = built.coverage;
  expect(commits + commits_omitted).toBe(3);
  expect(changes_omitted).toBeGreaterThan(15_000);
  expect({ files, indexed, skipped }).toEqual({ files: 15_000, indexed: 0, skipped: 15_000 });
  expect(built.coverage.reasons).toEqual({ path_too_long: 15_000 });
  const index = await built.open();
  expect(index.commits.omittedChanges(0)).toBe(30_000);
  expect([...index.commits.paths(0)]).toEqual([]);
  expect(index.code!.skipped(0).path.length).toBeLessThan(300);
}, 120_000);

test('a side branch with 100,000 paths of 3 KB is rejected, with little memory', async () => {
  const small = await write.commit({ tree: await newPaths(0, 3)(1) });
  const side = await write.commit({
    tree: await write.wideTree({ folders: 100, files: 1000, depth: 15 }),
    parents: [small],
  });
  const index = await (await indexCommit(small)).open();
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  await expect(indexRevision(repo.path, index, side, { limits: LIMITS })).rejects.toMatchObject({
    code: 'too_large',
    reason: 'paths_too_long',
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEBIBYTE);
});

test('a side branch of 15 commits with new paths opens within its budget, newest first', async () => {
  const small = await write.commit({ tree: await newPaths(0, 3)(2) });
  const side = (await history(15, (number) => newPaths(4, 10_000)(1000 + number), small)).at(-1)!;
  const index = await (await indexCommit(small)).open();
  const at = await indexRevision(repo.path, index, side, { limits: LIMITS });
  expect(at.commits.oid(0)).toBe(side);
  expect(at.bytes - index.bytes).toBeLessThan(128 * MEBIBYTE);
  expect(at.commits.count).toBeLessThan(16);
}, 120_000);

test('contents beyond the index size limit are skipped and counted', async () => {
  const text = (seed: number) =>
    Array.from({ length: 2000 }, (_, line) => `word${seed}x${line} = ${(seed * 7919 + line) ** 3};\n`).join(
      '',
    );
  const entries: [string, string, string][] = [];
  for (let file = 0; file < 60; file++) {
    entries.push(['100644', await write.blob(text(file)), `file${`${file}`.padStart(3, '0')}.js`]);
  }
  const { coverage, bytes } = await indexCommit(await write.commit({ tree: await write.tree(entries) }), {
    limits: { maxIndexMb: 6 },
  });
  expect(coverage.files).toBe(60);
  expect(coverage.indexed + coverage.skipped).toBe(60);
  expect(coverage.reasons.over_limit).toBeGreaterThan(20);
  expect(coverage.indexed).toBeGreaterThan(2);
  expect(bytes).toBeLessThan(16 * MEBIBYTE);
});

test('a commit whose trees are too large for git ends the history, and newer commits are indexed', async () => {
  const blob = await write.blob('x\n');
  let bomb = await write.tree([['100644', blob, 'file']]);
  // 10 to the power of 9 files in nine trees.
  for (let level = 0; level < 9; level++) {
    bomb = await write.tree(Array.from({ length: 10 }, (_, i) => ['040000', bomb, `folder${i}`] as const));
  }
  const small = await write.tree([['100644', blob, 'a.txt']]);
  const old = await write.commit({ tree: bomb });
  const oids = await history(3, async (number) => write.tree([['100644', blob, `${number}.txt`]]), old);
  const head = await write.commit({ tree: small, parents: oids.slice(-1) });
  const { coverage, open } = await indexCommit(head, { limits: { renameMs: 1_000 } });
  expect(coverage.commits + coverage.commits_omitted!).toBe(5);
  expect(coverage.commits).toBeGreaterThanOrEqual(3);
  expect((await open()).commits.oid(0)).toBe(head);
});

test('changes are indexed up to a budget, and the oldest commits counted', async () => {
  const text = (number: number) => Array.from({ length: 500 }, (_, line) => `${number} ${line}\n`).join('');
  const oids = await history(20, async (number) =>
    write.tree([['100644', await write.blob(text(number)), 'a.txt']]),
  );
  const directory = mkdtempSync(join(folder, 'hunks-'));
  const listener = { onProgress: () => {}, signal: new AbortController().signal };
  const task = { repo: repo.path, directory, budget: { indexBytes: MEBIBYTE, inputBytes: 50_000 } };
  await buildChangeIndex({ ...task, revision: oids.at(-1)! }, listener);
  const hunks = openChangeIndex(directory)!;
  expect(hunks.commits).toBeLessThan(20);
  expect(hunks.commits + hunks.skipCounts.over_limit!).toBe(20);
  expect(hunks.patch(oids.at(-1)!)).not.toBeNull();
  expect(hunks.patch(oids[0]!)).toBeNull();
  closeChangeIndex(directory);

  const next = await write.commit({ tree: await write.tree([]), parents: oids.slice(-1) });
  await buildChangeIndex(
    { ...task, revision: next, budget: { indexBytes: 1, inputBytes: 50_000 } },
    listener,
  );
  expect(openChangeIndex(directory)!.blocks).toHaveLength(1);
  expect(openChangeIndex(directory)!.patch(next)).not.toBeNull();
  closeChangeIndex(directory);
});
