import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countAheadBehind,
  deleteBranch,
  findMergeBase,
  formatDiff,
  formatPatches,
  listChangedFiles,
  renameBranch,
} from './branches.ts';
import { listReplayable, mergeTrees, replayCommits } from './merge.ts';
import { git } from './run.ts';
import { buildRepository, type TestRepository } from './testing.ts';

const LINES = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n7\n${last}\n`;
const BY = { name: 'Ada', email: 'ada@example.org', time: 1_800_000_000 };

let repo: TestRepository;
let base: string;
let main: string;
let clean: string;
let conflicting: string;

beforeAll(async () => {
  repo = await buildRepository(async (building) => {
    base = await building.commit({ files: { 'a.txt': LINES('1', '8'), 'ä b.txt': 'x\n' } });
    await building.branch('clean');
    await building.commit({
      message: 'Change the end',
      files: { 'a.txt': LINES('1', 'end') },
      author: 'Bea',
    });
    clean = await building.commit({ message: 'Add a file', files: { 'new.txt': 'n\n' } });
    await building.branch('conflicting', base);
    conflicting = await building.commit({ files: { 'a.txt': LINES('mine', '8'), 'ä b.txt': null } });
    await building.switch('main');
    main = await building.commit({ files: { 'a.txt': LINES('theirs', '8'), 'ä b.txt': 'y\n' } });
  });
});
afterAll(() => repo.remove());

const show = async (spec: string) =>
  (await git(repo.path, ['cat-file', '-p', spec], { name: 'cat-file' })).stdout.toString();
const collect = async (chunks: AsyncIterable<Buffer>) => {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
};

test('a merge combines both sides, or names the files that conflict with their three versions', async () => {
  const { tree, conflicts } = await mergeTrees(repo.path, clean, main);
  expect(conflicts).toEqual([]);
  expect(await show(`${tree}:a.txt`)).toBe(LINES('theirs', 'end'));
  const other = await mergeTrees(repo.path, conflicting, main);
  expect(other.conflicts.map(({ path }) => path).sort()).toEqual(['a.txt', 'ä b.txt']);
  const [text, gone] = ['a.txt', 'ä b.txt'].map((name) => other.conflicts.find(({ path }) => path === name)!);
  expect(await show(text!.ours!.oid)).toBe(LINES('mine', '8'));
  expect(await show(text!.base!.oid)).toBe(LINES('1', '8'));
  expect(gone).toMatchObject({ ours: null });
});

test('commits are replayed with their authors, and the first that conflicts stops them', async () => {
  const commits = (await listReplayable(repo.path, { base, head: clean, max: 10 }))!;
  expect(commits).toHaveLength(2);
  const { head } = await replayCommits(repo.path, { commits, onto: main, by: BY });
  expect(await show(`${head}:a.txt`)).toBe(LINES('theirs', 'end'));
  expect(await show(`${head}^`)).toMatch(/^author Bea .*\ncommitter Ada /m);
  expect(await countAheadBehind(repo.path, { commit: head!, upstream: main })).toEqual({
    ahead: 2,
    behind: 0,
  });
  // Chosen commits alone, and in place when nothing lies between.
  const [, second] = commits;
  const picked = await replayCommits(repo.path, { commits: [second!], onto: main, by: BY });
  expect(await show(`${picked.head}:a.txt`)).toBe(LINES('theirs', '8'));
  expect((await replayCommits(repo.path, { commits, onto: base, by: BY })).head).toBe(clean);
  expect(await replayCommits(repo.path, { commits: [conflicting], onto: main, by: BY })).toMatchObject({
    head: null,
    stoppedAt: conflicting,
  });
  expect(await listReplayable(repo.path, { base, head: clean, max: 1 })).toBeNull();
});

test('git am and git apply take what is exported', async () => {
  const { files, total } = await listChangedFiles(repo.path, { from: base, to: clean, max: 10 });
  expect({ files, total }).toEqual({
    total: 2,
    files: [
      { path: 'a.txt', additions: 1, deletions: 1 },
      { path: 'new.txt', additions: 1, deletions: 0 },
    ],
  });
  expect(await findMergeBase(repo.path, clean, main)).toBe(base);
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-am-'));
  const run = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]).toString();
  execFileSync('git', ['clone', '-q', repo.path, folder]);
  writeFileSync(join(folder, 'mbox'), await collect(formatPatches(repo.path, { base, head: clean })));
  writeFileSync(join(folder, 'diff'), await collect(formatDiff(repo.path, { base, head: clean })));
  run('checkout', '-q', '-b', 'one', base);
  run('am', '-q', 'mbox');
  expect(run('rev-parse', 'HEAD^{tree}')).toBe(run('rev-parse', `${clean}^{tree}`));
  run('checkout', '-q', '-b', 'two', base);
  run('apply', '--index', 'diff');
  expect(run('write-tree')).toBe(run('rev-parse', `${clean}^{tree}`));
  await rm(folder, { recursive: true });
});

test('a branch is renamed or deleted only where it stands', async () => {
  await repo.branch('topic', clean);
  expect(await renameBranch(repo.path, { branch: 'topic', to: 'fix/topic', from: main })).toBe(false);
  expect(await renameBranch(repo.path, { branch: 'topic', to: 'main', from: clean })).toBe(false);
  expect(await renameBranch(repo.path, { branch: 'topic', to: 'fix/topic', from: clean })).toBe(true);
  expect(await repo.head('fix/topic')).toBe(clean);
  expect(await deleteBranch(repo.path, { branch: 'fix/topic', from: main })).toBe(false);
  expect(await deleteBranch(repo.path, { branch: 'fix/topic', from: clean })).toBe(true);
});
