import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { readDraft } from '../bytes/section-file.ts';
import { writeSections } from '../bytes/sections.ts';
import { bigramsOf } from './bigram-filter.ts';
import { BLOCK_KIND } from './block-writer.ts';
import { buildChangeIndex } from './build-change-index.ts';
import { type ChangeIndex, closeChangeIndex, openChangeIndex } from './change-index.ts';
import { readManifest } from './manifest.ts';
import { findTermChanges, listChangedLines, listLostLines } from './testing.ts';

/** Bytes of patches that are compressed together. */
const PIECE_BYTES = 3 << 16;

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleanups) await clean();
});

async function repository(steps: (repo: TestRepository) => Promise<void>): Promise<TestRepository> {
  const repo = await buildRepository(steps);
  cleanups.push(() => repo.remove());
  return repo;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-hunks-'));
  cleanups.push(() => {
    closeChangeIndex(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

async function build(repo: TestRepository, directory: string): Promise<ChangeIndex> {
  const listener = { onProgress: () => {}, signal: new AbortController().signal };
  await buildChangeIndex({ repo: repo.path, revision: await repo.head(), directory }, listener);
  return openChangeIndex(directory)!;
}

/** Lines that hardly compress and have no two words in common. */
function distinctLines(name: string, count: number): string {
  let state = name.length + 1;
  const next = () => {
    state = (Math.imul(state, 48_271) + 12_345) >>> 0;
    return state.toString(36);
  };
  return Array.from({ length: count }, (_, i) => `${name} ${i} ${next()} ${next()} ${next()}\n`).join('');
}

test('a hunk of a large patch is read without the rest, also from merged blocks', async () => {
  const files = (name: string, rows: number) =>
    Object.fromEntries(
      Array.from({ length: 4 }, (_, i) => [`${name}${i}.txt`, distinctLines(`${name}${i}`, rows)]),
    );
  const repo = await repository(async (repo) => {
    await repo.commit({ files: files('first', 3200) });
  });
  const directory = temporaryFolder();
  await build(repo, directory);
  await repo.commit({ files: files('second', 1600) });
  const hunks = await build(repo, directory);
  expect(hunks.blocks).toHaveLength(1);
  expect(listLostLines(hunks, await listChangedLines(repo))).toEqual([]);
  const [block] = hunks.blocks;
  const foreign = bigramsOf('no->such(thing) here.either && at*all');
  const patches = [0, 1].map((commit) => block!.patches.patch(commit).length);
  expect(Math.max(...patches)).toBeGreaterThan(2 * PIECE_BYTES);
  const hunkNumbers = [...Array(block!.count).keys()];
  for (const hunk of hunkNumbers)
    expect(block!.patches.hunkBytes(block!.commitOf(hunk), hunk).length).toBeLessThanOrEqual(2 * PIECE_BYTES);
  expect(hunkNumbers.filter((hunk) => block!.mayContain(hunk, foreign)).length).toBeLessThan(
    block!.count / 4,
  );
}, 60_000);

test('blocks of the earlier format are read, and replaced by the next build', async () => {
  const repo = await repository(async (repo) => {
    for (let i = 0; i < 3; i++) await repo.commit({ files: { [`f${i}.c`]: `int the_answer = f(${i});\n` } });
  });
  const directory = temporaryFolder();
  const places = findTermChanges(await build(repo, directory), 'answer');
  closeChangeIndex(directory);
  const file = join(directory, readManifest(directory)!.blocks[0]!.name);
  const draft = readDraft(file, BLOCK_KIND);
  for (const name of ['filters', 'filterPages', 'patchHunks']) expect(draft.sections.delete(name)).toBe(true);
  rmSync(file);
  writeSections(file, BLOCK_KIND, draft);
  const hunks = openChangeIndex(directory)!;
  expect(hunks.blocks.map(({ isCurrent }) => isCurrent)).toEqual([false]);
  expect(findTermChanges(hunks, 'answer')).toEqual(places);
  expect(listLostLines(hunks, await listChangedLines(repo))).toEqual([]);
  const rebuilt = await build(repo, directory);
  expect(rebuilt.blocks.map(({ isCurrent }) => isCurrent)).toEqual([true]);
  expect(findTermChanges(rebuilt, 'answer')).toEqual(places);
  expect(readdirSync(directory)).toHaveLength(2);
});
