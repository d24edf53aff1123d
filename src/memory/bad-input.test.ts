import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { git } from '#git/run.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { buildChangeIndex } from './changes/build-change-index.ts';
import { closeChangeIndex, openChangeIndex } from './changes/change-index.ts';
import { buildIndex } from './index/build-index.ts';
import { indexRepository } from './testing.ts';

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const clean of cleanups) await clean();
});

async function repository(steps: (repo: TestRepository) => Promise<void>) {
  const repo = await buildRepository(steps);
  cleanups.push(() => repo.remove());
  return repo;
}

async function readHunks(repo: string, revision: string) {
  const directory = mkdtempSync(join(tmpdir(), 'hindsight-bad-input-'));
  cleanups.push(() => {
    closeChangeIndex(directory);
    rmSync(directory, { recursive: true, force: true });
  });
  const listener = { onProgress: () => {}, signal: new AbortController().signal };
  await buildChangeIndex({ repo, revision, directory }, listener);
  return openChangeIndex(directory)!;
}

test('a message of ten megabytes is indexed by its beginning, and the rest is not stored', async () => {
  const repo = await repository(async (repo) => {
    await repo.commit({ message: `Subject\n\nopening ${'filler word '.repeat(900_000)}closing`, files: {} });
    await repo.commit({ message: 'After', files: { 'a.ts': 'a\n' } });
  });
  const { commits } = await indexRepository(repo.path);
  expect(commits.subject(1)).toBe('Subject');
  expect(commits.message(1).length).toBeLessThanOrEqual(64 * 1024);
  expect([...commits.messages.postings('open')!.docs]).toEqual([1]);
  expect(commits.messages.postings('clos')).toBeNull();
});

test('every line of a file of half a million lines is in one passage, and its change is indexed in part', async () => {
  const lines = 500_000;
  const repo = await repository(async (repo) => {
    await repo.commit({ files: { 'long.js': 'x\n'.repeat(lines) } });
  });
  const code = (await indexRepository(repo.path)).code!;
  const { first, count } = code.filePassages(code.fileNumber('long.js'));
  let next = 1;
  for (let passage = first; passage < first + count; passage++) {
    const { start, end } = code.passageLines(passage);
    expect(start).toBe(next);
    next = end + 1;
  }
  expect(next).toBe(lines + 1);
  const hunks = await readHunks(repo.path, await repo.head());
  expect(hunks.skipCounts).toEqual({ too_large: 1 });
  expect(hunks.patch(await repo.head())!.length).toBeLessThan(2 ** 20);
});

test('circular symlinks and symlinks out of the repository are listed and never followed', async () => {
  const repo = await repository(async (repo) => {
    await repo.commit({ files: { 'a.ts': 'export const a = 1;\n' } });
  });
  const hash = async (target: string) => {
    const { stdout } = await git(repo.path, ['hash-object', '-w', '--stdin'], {
      name: 'test',
      input: target,
    });
    return stdout.toString().trim();
  };
  const links = { one: 'two', two: 'one', self: 'self', out: '../../../etc/passwd' };
  const { stdout: tree } = await git(repo.path, ['ls-tree', 'main'], { name: 'test' });
  const rows = await Promise.all(
    Object.entries(links).map(async ([name, target]) => `120000 blob ${await hash(target)}\t${name}\n`),
  );
  const made = await git(repo.path, ['mktree'], { name: 'test', input: tree.toString() + rows.join('') });
  const stream = `commit refs/heads/main\ncommitter B <b@example.org> 1 +0000\ndata 5\nlinks\nfrom ${await repo.head()}\nM 040000 ${made.stdout.toString().trim()} \ndone\n`;
  await git(repo.path, ['fast-import', '--quiet', '--done'], { name: 'test', input: stream });
  const code = (await indexRepository(repo.path)).code!;
  expect(code.fileCount).toBe(1);
  const skipped = Array.from({ length: code.skippedCount }, (_, entry) => code.skipped(entry));
  expect(skipped.map(({ path, reason }) => [path, reason])).toEqual(
    Object.keys(links)
      .sort()
      .map((path) => [path, 'symlink']),
  );
});

test('a shallow history is indexed up to its boundary', async () => {
  const upstream = await repository(async (repo) => {
    for (let i = 0; i < 5; i++) await repo.commit({ message: `Step ${i}`, files: { 'a.ts': `step${i}\n` } });
  });
  const shallow = join(upstream.folder, 'shallow.git');
  await git(null, ['clone', '--bare', '--quiet', '--depth=2', '--', `file://${upstream.path}`, shallow], {
    name: 'test',
    config: { 'safe.directory': '*', 'protocol.file.allow': 'always' },
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  });
  cleanups.push(() => rm(shallow, { recursive: true, force: true }));
  const { commits, code } = await indexRepository(shallow);
  expect([commits.subject(0), commits.subject(1), commits.count]).toEqual(['Step 4', 'Step 3', 2]);
  expect(commits.parents(1)).toEqual([]);
  expect(code!.fileCount).toBe(1);
  const hunks = await readHunks(shallow, await upstream.head());
  expect([hunks.commits, hunks.total]).toEqual([2, 2]);

  const coverageOf = async (repo: string) => {
    const directory = mkdtempSync(join(tmpdir(), 'hindsight-shallow-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    const task = { repo, revision: await upstream.head(), directory, previous: null };
    const limits = { maxFileBytes: 2 ** 20, maxEntries: 1000 };
    const { signal } = new AbortController();
    const listener = { onProgress: () => {}, onGeneration: async () => {} };
    return (await buildIndex({ ...task, ...listener, limits, signal })).coverage;
  };
  expect(await coverageOf(shallow)).toMatchObject({ commits: 2, shallow: true });
  expect(await coverageOf(upstream.path)).not.toHaveProperty('shallow');
});
