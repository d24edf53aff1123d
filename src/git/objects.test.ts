import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openBlobReader } from './blobs.ts';
import { returnCatFile, takeCatFile } from './cat-file-pool.ts';
import { openObjectReader } from './object-reader.ts';
import { hashObject, type NewObject, writeObjects } from './object-writer.ts';
import { consolidatePacks } from './packs.ts';
import { git } from './run.ts';
import { buildRepository, type TestRepository } from './testing.ts';
import { spawnCount } from './testing-spawn-count.ts';
import { createTreeReader, findEntries, findEntry, type GitTreeEntry, listTree } from './tree.ts';
import { planCommit, writeCommit } from './write.ts';

const ADA = { name: 'Ada Lovelace', email: 'ada@example.org', time: 1_700_000_000 };

const repositories: TestRepository[] = [];
afterEach(async () => {
  for (const { remove } of repositories.splice(0)) await remove();
});

async function build(files: Record<string, string | Buffer>, objectFormat: 'sha1' | 'sha256' = 'sha1') {
  let commit = '';
  const repository = await buildRepository(
    async (building) => {
      commit = await building.commit({ files });
    },
    { objectFormat },
  );
  repositories.push(repository);
  return { repo: repository.path, commit };
}

async function listFiles(repo: string, commit: string) {
  const entries: GitTreeEntry[] = [];
  for await (const entry of listTree(repo, commit)) entries.push(entry);
  return entries;
}

const read = async (repo: string, oid: string) => {
  const blobs = openBlobReader(repo);
  try {
    return await blobs.read(oid, 1_000_000);
  } finally {
    blobs.close();
  }
};

describe('the pool of cat-file', () => {
  test('one process answers one reader after the other, also about what is written and packed meanwhile', async () => {
    const { repo, commit } = await build({ 'a/b.txt': 'first\n' });
    const { oid } = (await findEntry(repo, commit, 'a/b.txt'))!;
    const started = spawnCount();
    expect(await read(repo, oid)).toEqual({ content: Buffer.from('first\n') });
    const later: NewObject = { type: 'blob', content: Buffer.from('written later\n') };
    const laterOid = hashObject(later, commit);
    expect(await read(repo, laterOid)).toBeNull();
    expect(spawnCount()).toBe(started);
    await writeObjects(repo, [later], commit);
    expect(await read(repo, laterOid)).toEqual({ content: later.content });
    await git(repo, ['update-ref', 'refs/tags/later', laterOid], { name: 'update-ref' });
    await git(repo, ['repack', '-a', '-d', '-q'], { name: 'repack' });
    await git(repo, ['prune-packed', '-q'], { name: 'prune-packed' });
    expect(await read(repo, laterOid)).toEqual({ content: later.content });
    await consolidatePacks(repo);
    expect(await read(repo, oid)).toEqual({ content: Buffer.from('first\n') });
  });

  test('readers at the same time have a process each', async () => {
    const { repo, commit } = await build({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const [a, b] = (await findEntries(repo, commit, ['a.txt', 'b.txt'])).map(({ oid }) => oid);
    const [one, other] = [openObjectReader(repo), openObjectReader(repo)];
    const contents = await Promise.all([one.read(a!, 10), other.read(b!, 10), one.read(b!, 10)]);
    expect(contents.map((found) => found?.content?.toString())).toEqual(['a\n', 'b\n', 'b\n']);
    one.close();
    other.close();
  });

  test('a process that has died while it was idle is replaced', async () => {
    const { repo, commit } = await build({ 'a.txt': 'a\n' });
    const { oid } = (await findEntry(repo, commit, 'a.txt'))!;
    const idle = takeCatFile(repo);
    returnCatFile(idle);
    idle.process.kill('stopped');
    // Its end is not known yet.
    expect(await read(repo, oid)).toEqual({ content: Buffer.from('a\n') });
    await idle.process.end;
    expect(await read(repo, oid)).toEqual({ content: Buffer.from('a\n') });
  });

  test('a reader whose signal aborts rejects and leaves no output to the next', async () => {
    const big = randomBytes(3_000_000);
    const { repo, commit } = await build({ 'big.bin': big, 'a.txt': 'a\n' });
    const [large, small] = (await findEntries(repo, commit, ['big.bin', 'a.txt'])).map(({ oid }) => oid);
    const abort = new AbortController();
    const reader = openObjectReader(repo, { signal: abort.signal });
    const pending = reader.read(large!, 4_000_000);
    abort.abort();
    await expect(pending).rejects.toMatchObject({ code: 'unavailable', reason: 'stopped' });
    reader.close();
    expect(await read(repo, small!)).toEqual({ content: Buffer.from('a\n') });
    await expect(reader.read(small!, 10)).rejects.toThrow('closed');
  });
});

describe('trees', () => {
  test('finds what ls-tree finds, by names that git would read as revisions', async () => {
    const { repo, commit } = await build({
      'x-g0123456/a': '1',
      'x^{tree}/b~1': '2',
      ':(top)/c@{1}': '3',
      'line\nfeed/carriage\r': '4',
      'a/b/c/d.txt': '5',
      'a-b': '6',
      'a.b': '7',
    });
    const listed = await listFiles(repo, commit);
    for (const entry of listed) expect(await findEntry(repo, commit, entry.path!)).toEqual(entry);
    expect(listed).toHaveLength(7);
    expect(await findEntry(repo, commit, 'a/b')).toMatchObject({ type: 'tree', mode: '040000', size: null });
    for (const path of ['a/b/c/d.txt/e', 'a/x', 'x', 'a-b/'])
      expect(await findEntry(repo, commit, path)).toBeNull();
    await expect(findEntry(repo, '1'.repeat(40), 'a')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('trees of several paths are read once each', async () => {
    const { repo, commit } = await build({ 'a/b.txt': '1', 'a/c.txt': '2' });
    const objects = openObjectReader(repo);
    const asked: string[] = [];
    const trees = createTreeReader({
      stat: objects.stat,
      readTree(oid, maxBytes) {
        asked.push(oid);
        return objects.readTree(oid, maxBytes);
      },
    });
    const [one, other] = await Promise.all([trees.readTree(commit), trees.readTree(commit)]);
    expect(one?.content).toEqual(other?.content);
    expect(asked).toEqual([commit]);
    objects.close();
    const paths = ['a/c.txt', 'a/b.txt', 'a', 'a/d.txt'];
    expect((await findEntries(repo, commit, paths)).map(({ path }) => path)).toEqual(paths.slice(0, 3));
  });

  test('a missing tree is an error, not an absent file', async () => {
    const { repo, commit } = await build({ 'a/b.txt': 'text\n' });
    const { oid } = (await findEntry(repo, commit, 'a'))!;
    for (const pack of await readdir(join(repo, 'objects/pack'))) expect(pack).not.toMatch(/pack$/);
    await rm(join(repo, 'objects', oid.slice(0, 2), oid.slice(2)));
    await expect(findEntry(repo, commit, 'a/b.txt')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('writing', () => {
  test('a commit has the hashes, the order of entries and the fields that git gives it', async () => {
    const { repo, commit } = await build({ 'a/x': '1', 'a-b': '2', 'a.b/y': '3', a0: '4', 'ä/z': '5' });
    const content = Buffer.from('new\n');
    const blob = { oid: hashObject({ type: 'blob', content }, commit), mode: '100644', content };
    const changes = ['a/new.txt', 'deep/er/still.txt', 'a_', 'B'].map((path) => ({ path, blob }));
    const before = spawnCount();
    const plan = await planCommit(repo, {
      parent: commit,
      changes: [...changes, { path: 'a.b/y', blob: null }],
    });
    const written = await writeCommit(repo, plan, { message: 'Änder alles\n', by: ADA });
    expect(spawnCount() - before).toBeLessThanOrEqual(2);
    const { stderr, stdout } = await git(repo, ['fsck', '--strict', '--no-dangling'], { name: 'fsck' });
    expect(stdout.toString() + stderr).not.toMatch(/error|warning/);
    const { stdout: shown } = await git(repo, ['cat-file', 'commit', written], { name: 'cat-file' });
    expect(shown.toString()).toMatch(
      /^tree [0-9a-f]{40}\nparent [0-9a-f]{40}\nauthor Ada Lovelace <ada@example.org> 1700000000 \+0000\ncommitter .*\n\nÄnder alles\n$/,
    );
    const paths = (await listFiles(repo, written)).map(({ path }) => path);
    expect(paths).toEqual(['B', 'a-b', 'a/new.txt', 'a/x', 'a0', 'a_', 'deep/er/still.txt', 'ä/z']);
    const { stdout: mktree } = await git(repo, ['ls-tree', '-z', written], { name: 'ls-tree' });
    const { stdout: tree } = await git(repo, ['mktree', '-z'], { name: 'mktree', input: mktree });
    expect(shown.toString()).toContain(`tree ${tree.toString().trim()}`);
  });

  test('a repository of SHA-256 is read and written', async () => {
    const { repo, commit } = await build({ 'a/x': '1' }, 'sha256');
    const content = Buffer.from('2');
    const blob = { oid: hashObject({ type: 'blob', content }, commit), mode: '100644', content };
    const plan = await planCommit(repo, { parent: commit, changes: [{ path: 'a/x', blob }] });
    const written = await writeCommit(repo, plan, { message: 'Change\n', by: ADA });
    const entry = await findEntry(repo, written, 'a/x');
    expect(entry).toMatchObject({ oid: blob.oid, size: 1 });
    expect(await read(repo, entry!.oid)).toEqual({ content });
  });

  test('a commit that deletes the last file has an empty tree', async () => {
    const { repo, commit } = await build({ 'a/x': '1' });
    const plan = await planCommit(repo, { parent: commit, changes: [{ path: 'a/x', blob: null }] });
    const written = await writeCommit(repo, plan, { message: 'Delete\n', by: ADA });
    expect(await listFiles(repo, written)).toEqual([]);
  });
});
