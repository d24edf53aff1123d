import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { attachIndex, countAttachedIndexes } from '#memory/index/attached-indexes.ts';
import { buildIndex } from '#memory/index/build-index.ts';
import { createIndexCache } from '#memory/index/index-cache.ts';
import { countCachedRevisions, indexRevision } from '#memory/index/index-revision.ts';
import { releaseRemovedProjects } from './release-removed.ts';

const LIMITS = { maxFileBytes: 2 ** 20, maxEntries: 1000 };

let kept: TestRepository;
let removed: TestRepository;
const folders: string[] = [];

beforeAll(async () => {
  const steps = async (repo: TestRepository) => {
    await repo.commit({ files: { 'a.ts': 'export const one = 1;\n' } });
    await repo.commit({ files: { 'a.ts': 'export const two = 2;\n' } });
  };
  kept = await buildRepository(steps);
  removed = await buildRepository(steps);
});
afterAll(async () => {
  await Promise.all([kept.remove(), removed.remove()]);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function indexHead(repo: TestRepository) {
  const directory = mkdtempSync(join(tmpdir(), 'hindsight-forget-'));
  folders.push(directory);
  let generation = '';
  await buildIndex({
    ...{ repo: repo.path, revision: await repo.head(), directory, previous: null, limits: LIMITS },
    onProgress: () => {},
    onGeneration: async ({ name }) => {
      generation = name;
    },
    signal: new AbortController().signal,
  });
  return { directory, generation };
}

test('caches of a thread and the index cache release a deleted project', async () => {
  const indexCache = createIndexCache({ maxBytes: 1e9 });
  const [one, other] = [await indexHead(kept), await indexHead(removed)];
  const [first, second] = [
    await indexCache.open(one.directory, one.generation),
    await indexCache.open(other.directory, other.generation),
  ];
  const whole = indexCache.cachedBytes;
  expect(whole).toBe(first.bytes + second.bytes);
  attachIndex(first.shared);
  attachIndex(second.shared);
  for (const [repo, index] of [
    [kept, first],
    [removed, second],
  ] as const) {
    await indexRevision(repo.path, index, await repo.head('main^'), { limits: LIMITS });
  }
  releaseRemovedProjects();
  expect([countAttachedIndexes(), countCachedRevisions()]).toEqual([2, 2]);

  rmSync(other.directory, { recursive: true });
  await removed.remove();
  indexCache.evict(other.directory);
  releaseRemovedProjects();
  expect([countAttachedIndexes(), countCachedRevisions()]).toEqual([1, 1]);
  expect(indexCache.cachedBytes).toBe(first.bytes);
});

test('an index that was opened while its project was deleted is not cached', async () => {
  const indexCache = createIndexCache({ maxBytes: 1e9 });
  const repo = await buildRepository(async (building) => {
    await building.commit({ files: { 'b.ts': 'export const b = 1;\n' } });
  });
  const [late, other] = [await indexHead(repo), await indexHead(kept)];
  await indexCache.open(late.directory, late.generation);
  rmSync(late.directory, { recursive: true });
  const { bytes } = await indexCache.open(other.directory, other.generation);
  expect(indexCache.cachedBytes).toBe(bytes);
  await repo.remove();
});
