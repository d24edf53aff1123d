import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { branchRoutes } from '#contract/branches.ts';
import { ideRoutes } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { deleteBranch } from '#git/branches.ts';
import { treeOf } from '#git/merge.ts';
import { readRefs } from '#git/refs.ts';
import { commitTree, updateBranch } from '#git/write.ts';
import { openObjectStore } from '#storage/open-store.ts';
import { UNREFERENCED_OBJECT_MS } from '#storage/stored-files.ts';
import { listObjects, startS3 } from '#storage/testing.ts';
import { createIdeFixture, type IdeFixture, waitUntilReady } from '../ide/testing.ts';
import { type TestApp, testApp } from '../testing.ts';
import { type ChangeStep, Repositories } from './repositories.ts';
import { projectStorage } from './storage.ts';

/** Two servers with folders of their own, one database and one object store; jobs run on the first. */
let s3: Awaited<ReturnType<typeof startS3>>;
let fixture: IdeFixture;
let a: TestApp;
let b: TestApp;
let id: string;
let failAt: ChangeStep | null = null;

const onStep = (step: ChangeStep) => {
  if (step === failAt) throw new Error(`killed after ${step}`);
};

beforeAll(async () => {
  s3 = await startS3();
  const files = { 'README.md': '# Words\n', 'src/tide.js': 'export const tide = 1;\n' };
  fixture = await createIdeFixture(files, { config: { objectStore: s3.settings }, onStep });
  a = fixture.app;
  id = fixture.projectId;
  b = await openServer();
}, 120_000);

afterAll(async () => {
  await b.close();
  await fixture.close();
  await s3.close();
});

/** Starts another server with an empty folder. */
const openServer = () => {
  const { objectStore, git } = a.deps.config;
  return testApp({ databaseUrl: a.databaseUrl, config: { objectStore, git } });
};
const save = (
  app: TestApp,
  path: string,
  content: string,
  body: { branch?: string; base_sha?: string } = {},
) => app.call(ideRoutes.save, { params: { id, '*': path }, body: { content, ...body } }, fixture.ada);
const read = async (app: TestApp, path: string, ref?: string) => {
  const { body, error } = await app.call(
    ideRoutes.file,
    { params: { id, '*': path }, query: { ...(ref && { ref }) } },
    fixture.ada,
  );
  return error ? error.code : body.content;
};
const findPaths = async (app: TestApp, q: string) => {
  const query = { project_id: id, q, working_branch: 'true' as const };
  for (;;) {
    const { body, error } = await app.call(searchRoutes.search, { query }, fixture.ada);
    // The first search starts a thread, which may take longer than a search may.
    if (error?.reason === 'timed_out') continue;
    expect(error).toBeUndefined();
    return body.passages.map(({ path }) => path);
  }
};
const listHeads = async (app: TestApp) => {
  const { body } = await app.call(branchRoutes.list, { params: { id }, query: {} }, fixture.ada);
  return Object.fromEntries(body.branches.map(({ name, head }) => [name, head]));
};
const removeFolder = (app: TestApp) =>
  rm(projectStorage(app.deps.config.dataDir, id).root, { recursive: true, force: true });

describe('a save that one server has acknowledged', { timeout: 120_000 }, () => {
  test('is read, searched and edited on another at once', async () => {
    const saved = await save(a, 'src/harbour.js', 'export const harbour = "quiet";\n');
    expect(saved.status).toBe(200);
    expect(await read(b, 'src/harbour.js')).toContain('quiet');
    expect(await findPaths(b, 'harbour')).toContain('src/harbour.js');
    const edited = await save(b, 'src/harbour.js', 'export const harbour = "loud";\n', {
      base_sha: saved.body.commit,
    });
    expect(edited.status).toBe(200);
    expect(await read(a, 'src/harbour.js')).toContain('loud');
    expect(await listHeads(a)).toEqual(await listHeads(b));
  });

  test('conflicts with one on another server', async () => {
    const { body } = await save(a, 'both.txt', 'base\n');
    const base_sha = body.commit;
    const replies = await Promise.all([
      save(a, 'both.txt', 'of a\n', { base_sha }),
      save(b, 'both.txt', 'of b\n', { base_sha }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const kept = replies[0]!.status === 200 ? 'of a\n' : 'of b\n';
    expect([await read(a, 'both.txt'), await read(b, 'both.txt')]).toEqual([kept, kept]);
  });

  test('is not overwritten by one whose disk lacks its commit', async () => {
    const branch = 'not/here';
    const { body } = await save(a, 'here.txt', 'first\n', { branch });
    expect(await read(b, 'here.txt', branch)).toBe('first\n');
    const { db } = a.deps;
    const row = db.selectFrom('branches').select('head').where('name', '=', branch);
    const moveRow = (head: string) =>
      db.updateTable('branches').set({ head }).where('name', '=', branch).execute();
    const missing = 'f'.repeat(40);
    await moveRow(missing);
    const { repo } = projectStorage(b.deps.config.dataDir, id);
    await deleteBranch(repo, { branch, from: body.commit });
    expect((await save(b, 'here.txt', 'second\n', { branch })).status).toBe(503);
    expect(await row.executeTakeFirst()).toEqual({ head: missing });
    await moveRow(body.commit);
    expect((await save(b, 'here.txt', 'second\n', { branch })).status).toBe(200);
    expect(await read(a, 'here.txt', branch)).toBe('second\n');
  });

  test('survives the loss of that server', async () => {
    await save(b, 'kept.txt', 'kept\n', { branch: 'lost/server' });
    await removeFolder(b);
    expect(await read(a, 'kept.txt', 'lost/server')).toBe('kept\n');
    expect(await read(b, 'kept.txt', 'lost/server')).toBe('kept\n');
    const fresh = await openServer();
    try {
      expect(await read(fresh, 'kept.txt', 'lost/server')).toBe('kept\n');
      expect(await listHeads(fresh)).toEqual(await listHeads(a));
      expect((await save(fresh, 'kept.txt', 'edited\n', { branch: 'lost/server' })).status).toBe(200);
    } finally {
      await fresh.close();
    }
    expect(await read(a, 'kept.txt', 'lost/server')).toBe('edited\n');
  });

  test('survives a refresh, which makes it a part of the published repository', async () => {
    const before = await listHeads(a);
    const commit = await fixture.upstream.commit({ files: { 'upstream.txt': 'new\n' } });
    await a.call(projectRoutes.refresh, { params: { id } }, fixture.ada);
    const isIndexed = async () =>
      (await a.call(projectRoutes.get, { params: { id } }, fixture.ada)).body.indexed_commit === commit;
    while (!(await isIndexed())) await waitUntilReady(a, fixture.ada, id);
    expect(await a.deps.db.selectFrom('repository_packs').select('name').execute()).toEqual([]);
    await b.deps.projectFiles.deleteUnreferenced(
      AbortSignal.timeout(60_000),
      Date.now() + UNREFERENCED_OBJECT_MS + 60_000,
    );
    await removeFolder(b);
    expect(await listHeads(b)).toEqual(before);
    expect(await read(b, 'kept.txt', 'lost/server')).toBe('edited\n');
    const upstream = 'refs/remotes/origin/main';
    const refs = await readRefs(await b.deps.projectFiles.repositories.open(id), [upstream]);
    expect(refs.get(upstream)).toBe(commit);
  });
});

test('branches are renamed, updated and deleted on every server', { timeout: 120_000 }, async () => {
  await save(a, 'r.txt', 'r\n', { branch: 'topic' });
  const at = (branch: string) => ({ params: { id, branch } });
  await b.call(branchRoutes.rename, { ...at('topic'), body: { name: 'renamed/topic' } }, fixture.ada);
  expect(await read(a, 'r.txt', 'renamed/topic')).toBe('r\n');
  expect(await read(a, 'r.txt', 'topic')).toBe('not_found');
  const commit = await fixture.upstream.commit({ files: { 'merged.txt': 'm\n' } });
  await a.call(projectRoutes.refresh, { params: { id } }, fixture.ada);
  const isIndexed = async () =>
    (await a.call(projectRoutes.get, { params: { id } }, fixture.ada)).body.indexed_commit === commit;
  while (!(await isIndexed())) await waitUntilReady(a, fixture.ada, id);
  const head = (await listHeads(b))['renamed/topic']!;
  const updated = await b.call(
    branchRoutes.update,
    { ...at('renamed/topic'), body: { method: 'merge', head, upstream: commit } },
    fixture.ada,
  );
  expect(updated.body.state).toBe('updated');
  expect(await read(a, 'merged.txt', 'renamed/topic')).toBe('m\n');
  await a.call(branchRoutes.remove, { ...at('renamed/topic'), query: {} }, fixture.ada);
  expect(await listHeads(b)).not.toHaveProperty('renamed/topic');
  const { repo } = projectStorage(b.deps.config.dataDir, id);
  expect((await readRefs(repo, ['refs/heads/renamed/topic'])).size).toBe(0);
});

describe('a server that stops between two steps of a save', { timeout: 120_000 }, () => {
  test.each(['written', 'stored'] as const)('after “%s” leaves the branch as it was', async (step) => {
    await save(a, 'step.txt', `before ${step}\n`);
    failAt = step;
    const stopped = await save(a, 'step.txt', 'lost\n');
    failAt = null;
    expect(stopped.status).toBe(500);
    for (const app of [a, b]) expect(await read(app, 'step.txt')).toBe(`before ${step}\n`);
    expect((await save(b, 'step.txt', `after ${step}\n`)).status).toBe(200);
    expect(await read(a, 'step.txt')).toBe(`after ${step}\n`);
  });

  test.each(['committed', 'moved'] as const)('after “%s” has saved', async (step) => {
    failAt = step;
    const stopped = await save(a, 'step.txt', `saved ${step}\n`);
    failAt = null;
    expect(stopped.status).toBe(500);
    for (const app of [b, a]) expect(await read(app, 'step.txt')).toBe(`saved ${step}\n`);
    expect((await save(a, 'step.txt', `later ${step}\n`)).status).toBe(200);
    expect(await read(b, 'step.txt')).toBe(`later ${step}\n`);
  });
});

test('objects of a save that was not acknowledged are deleted after a day', { timeout: 60_000 }, async () => {
  const store = openObjectStore(s3.settings);
  const count = async () => (await listObjects(store, id)).length;
  failAt = 'stored';
  await save(a, 'unnamed.txt', 'unnamed\n');
  failAt = null;
  const before = await count();
  const { signal } = new AbortController();
  await a.deps.projectFiles.deleteUnreferenced(signal, Date.now() + UNREFERENCED_OBJECT_MS + 60_000);
  expect(await count()).toBeLessThan(before);
  await removeFolder(b);
  expect(await listHeads(b)).toEqual(await listHeads(a));
});

test('branches of an older version are taken from the refs of the disk', { timeout: 60_000 }, async () => {
  const repo = await a.deps.projectFiles.repositories.open(id);
  await save(a, 'old.txt', 'old\n', { branch: 'older' });
  const head = (await listHeads(a)).older!;
  const by = { name: 'Ada', email: 'ada@example.org', time: 1_700_000_000 };
  const commit = {
    tree: await treeOf(repo, head),
    parents: [head],
    message: 'Ahead\n',
    author: by,
    committer: by,
  };
  const ahead = await commitTree(repo, commit);
  await updateBranch(repo, { branch: 'older', from: head, to: ahead });
  const { db, config } = a.deps;
  for (const table of ['repositories', 'project_files', 'repository_packs'] as const)
    await db.deleteFrom(table).where('project_id', '=', id).execute();
  const upgraded = new Repositories({ db, dataDir: config.dataDir, store: openObjectStore(s3.settings) });
  await upgraded.publish(id);
  for (const app of [a, b]) expect((await listHeads(app)).older).toBe(ahead);
  expect((await save(b, 'old.txt', 'new\n', { branch: 'older' })).status).toBe(200);
  expect(await read(a, 'old.txt', 'older')).toBe('new\n');
});
