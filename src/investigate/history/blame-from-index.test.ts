import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blame } from '#git/blame.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { buildChangeIndex } from '#memory/changes/build-change-index.ts';
import { type ChangeIndex, closeChangeIndex, openChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { investigate } from '../investigate.ts';
import { buildShop, SHOP_TRACE, type ShopHistory } from '../testing.ts';
import { blameFromIndex, newestCommitFromIndex } from './blame-from-index.ts';
import { followRenames } from './renames.ts';

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleanups) await clean();
});

async function readHunks(repo: TestRepository, revision = ''): Promise<ChangeIndex> {
  const directory = mkdtempSync(join(tmpdir(), 'hindsight-blame-'));
  cleanups.push(() => {
    closeChangeIndex(directory);
    rmSync(directory, { recursive: true, force: true });
  });
  const task = { repo: repo.path, revision: revision || (await repo.head()), directory };
  await buildChangeIndex(task, { onProgress: () => {}, signal: new AbortController().signal });
  return openChangeIndex(directory)!;
}

/** Blame of a file at the head, from the index and from git. */
async function both(
  repo: TestRepository,
  path: string,
  content: string,
  hunks: ChangeIndex,
  index: RepositoryIndex,
) {
  const lines = content.split('\n');
  const to = lines.length - 1;
  const paths = followRenames([path], index.commits).allPaths(path);
  const ours = blameFromIndex({ paths, lines, ranges: [[1, to]] }, index, hunks);
  const range = { commit: await repo.head(), path, from: 1, to, ignoreWhitespace: true };
  const subjectOf = (commit: number | null) => (commit === null ? null : index.commits.subject(commit));
  /** Subject of the newest commit of one line. */
  const newestOf = (line: number) =>
    subjectOf(newestCommitFromIndex({ paths, lines, ranges: [[line, line]] }, index, hunks));
  return { ours, newestOf, git: await blame(repo.path, range) };
}

const START = `function open(file) {
  return read(file, 'utf8');
}

function close(handle) {
  release(handle);
}
`;
const RETRIED = START.replace(
  'release(handle);',
  'retryThreeTimes(() => release(handle));\n  forget(handle);',
);
const INDENTED = `if (enabled) {\n${RETRIED.replace(/^(?=.)/gm, '  ')}}\n`;

let repo: TestRepository;
beforeAll(async () => {
  repo = await buildRepository(async (repo) => {
    await repo.commit({ message: 'start', files: { 'io.js': START } });
    await repo.commit({ message: 'retry', files: { 'io.js': RETRIED, 'other.js': 'forget(handle);\n' } });
    await repo.rename('io.js', 'src/io.js');
    await repo.commit({ message: 'indent', files: { 'src/io.js': INDENTED } });
  });
  cleanups.push(() => repo.remove());
});

test('blame equals `git blame -w` through renames and reindentation', async () => {
  const { ours, newestOf, git } = await both(
    repo,
    'src/io.js',
    INDENTED,
    await readHunks(repo),
    await indexRepository(repo.path),
  );
  const origins = (lines: { line: number; oid: string; originalPath: string; originalLine: number }[]) =>
    lines.map(({ line, oid, originalPath, originalLine }) => ({ line, oid, originalPath, originalLine }));
  const informative = ours!.filter(({ line }) => /\w{4}/.test(INDENTED.split('\n')[line - 1]!));
  expect(informative.length).toBe(6);
  expect(origins(git)).toEqual(expect.arrayContaining(origins(informative)));
  expect([1, 2, 7].map(newestOf)).toEqual(['indent', 'start', 'retry']);
});

test('a line whose text another commit added or deleted is not certain', async () => {
  const twice = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'a.js': 'notifySubscribers(list);\nconst middle = 1;\n' } });
    await repo.commit({
      files: { 'a.js': 'notifySubscribers(list);\nconst middle = 1;\nnotifySubscribers(list);\n' },
    });
    await repo.commit({ files: { 'a.js': 'notifySubscribers(list);\nconst middle = 1;\n' } });
  });
  cleanups.push(() => twice.remove());
  const content = 'notifySubscribers(list);\nconst middle = 1;\n';
  const { ours, newestOf } = await both(
    twice,
    'a.js',
    content,
    await readHunks(twice),
    await indexRepository(twice.path),
  );
  expect(ours!.map(({ line, isCertain }) => [line, isCertain])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(newestOf(1)).toBeNull();
  expect(newestOf(2)).not.toBeNull();
});

test('an incomplete index of changes yields null', async () => {
  const index = await indexRepository(repo.path);
  const behind = await readHunks(repo, await repo.head('HEAD~1'));
  const { ours } = await both(repo, 'src/io.js', INDENTED, behind, index);
  expect(ours).toBeNull();
});

test('the index yields the same evidence as git', async () => {
  const shop: ShopHistory = await buildShop();
  cleanups.push(() => shop.repository.remove());
  const index = await indexRepository(shop.repository.path);
  const deps = { repo: shop.repository.path, index, sessions: [], now: '2024-02-02T00:00:00Z' };
  const fromGit = await investigate({ error_message: SHOP_TRACE }, deps);
  const hunks = await readHunks(shop.repository);
  const { evidenceOf, ...fromIndex } = await investigate({ error_message: SHOP_TRACE }, { ...deps, hunks });
  expect(fromIndex.evidence).toEqual(fromGit.evidence);
  expect(evidenceOf.size).toBe(fromGit.evidenceOf.size);
});
