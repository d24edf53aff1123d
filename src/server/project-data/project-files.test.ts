import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoutes } from '#contract/projects.ts';
import { releaseRoutes } from '#contract/releases.ts';
import { searchRoutes } from '#contract/search.ts';
import { openChangeIndex } from '#memory/changes/change-index.ts';
import { openIndex, readGeneration } from '#memory/index/generation-reader.ts';
import { type ObjectStore, objectKey } from '#storage/object-store.ts';
import { openObjectStore } from '#storage/open-store.ts';
import { UNREFERENCED_OBJECT_MS } from '#storage/stored-files.ts';
import { listObjects, startS3 } from '#storage/testing.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '../testing-shop.ts';
import { hunksFolder, queueHunks } from './hunks.ts';
import { moveFilesIn, moveFilesOut } from './move-files.ts';
import { openProjectFiles, type ProjectFileStore } from './project-files.ts';
import { REPOSITORY_FOLDER } from './repository-rows.ts';
import { sourceMapFile, sourceMapPath } from './source-maps.ts';
import { CHANGE_INDEX_FOLDER, generationPath, openProjectIndex, projectStorage } from './storage.ts';

/** Files of a project in an object store, as two machines see them: the app's, and one with an empty disk. */

let served: ServedShop;
let s3: Awaited<ReturnType<typeof startS3>>;
let store: ObjectStore;
let app: ShopApp;
let id: string;
let otherDisk: string;
let other: ProjectFileStore;

beforeAll(async () => {
  [served, s3] = await Promise.all([serveShop(), startS3()]);
  store = openObjectStore(s3.settings);
  app = await openShopApp(served, { objectStore: s3.settings });
  id = app.project.id;
  otherDisk = await mkdtemp(join(tmpdir(), 'hindsight-other-'));
  other = openProjectFiles({ db: app.deps.db, dataDir: otherDisk, store });
  await waitForChanges();
}, 60_000);

afterAll(async () => {
  await app.close();
  await Promise.all([served.close(), s3.close()]);
  await rm(otherDisk, { recursive: true, force: true });
});

/** Paths of what is published besides the repository. */
const listPaths = async () => {
  const rows = app.deps.db.selectFrom('project_files').select('path').where('path', '!=', REPOSITORY_FOLDER);
  return (await rows.orderBy('path').execute()).map(({ path }) => path);
};
const readProject = () =>
  app.deps.db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const openOnOther = async () => {
  const { shard_generation: generation } = await readProject();
  await other.fetch(id, generationPath(generation!));
  return openIndex(await readGeneration(projectStorage(otherDisk, id).shard, generation!));
};
/** Waits until the changes of the indexed commit are published. */
async function waitForChanges(): Promise<void> {
  for (let round = 0; round < 900; round++) {
    const { indexed_commit } = await readProject();
    const path = join(hunksFolder(app.deps.config.dataDir, id), 'MANIFEST');
    const text = await readFile(path, 'utf8').catch(() => '');
    const isPublished = (await listPaths()).includes(CHANGE_INDEX_FOLDER);
    if (isPublished && text.includes(`"head":"${indexed_commit}"`)) return;
    await sleep(100);
  }
  throw new Error('The changes were not indexed in time.');
}
const search = async (q: string) => {
  for (;;) {
    const reply = await app.call(searchRoutes.search, { query: { project_id: id, q } }, app.ada);
    // The first search starts a thread, which may take longer than a search may.
    if (reply.error?.reason === 'timed_out') continue;
    expect(reply.error).toBeUndefined();
    return reply.body;
  }
};

test('another machine opens the index and the changes that this one has built', async () => {
  const { shard_generation: generation } = await readProject();
  expect(await listPaths()).toEqual(
    expect.arrayContaining([CHANGE_INDEX_FOLDER, generationPath(generation!)]),
  );
  const index = await openOnOther();
  const own = await openProjectIndex(app.deps, await readProject());
  expect(index.revision).toBe(own!.revision);
  expect([index.commits.count, index.code!.passageCount]).toEqual([
    own!.commits.count,
    own!.code!.passageCount,
  ]);
  expect(index.code!.passageText(0)).toBe(own!.code!.passageText(0));
  await other.follow(id, CHANGE_INDEX_FOLDER);
  expect(openChangeIndex(hunksFolder(otherDisk, id))!.commits).toBe(
    openChangeIndex(hunksFolder(app.deps.config.dataDir, id))!.commits,
  );
});

test('a refresh sends and fetches what is new', { timeout: 40_000 }, async () => {
  const { shard_generation: before } = await readProject();
  const objects = (await listObjects(store, id)).length;
  const commit = await served.shop.repository.commit({
    message: 'Add a lighthouse',
    files: { 'src/lighthouse.js': 'export const lighthouse = 1;\n' },
  });
  await app.call(projectRoutes.refresh, { params: { id } }, app.ada);
  while ((await readProject()).indexed_commit !== commit) await sleep(100);
  await waitForChanges();
  const { shard_generation: after } = await readProject();
  expect(await listPaths()).toEqual(
    [CHANGE_INDEX_FOLDER, ...[before!, after!].map(generationPath)].toSorted(),
  );
  // Two manifests, a segment of commits, one of code with its texts, the block of changes and its manifest; of the repository a
  // pack with its index, the list of refs and the commit graph.
  expect((await listObjects(store, id)).length - objects).toBeLessThanOrEqual(11);

  const index = await openOnOther();
  expect(index.revision).toBe(commit);
  const { shard } = projectStorage(otherDisk, id);
  const shared = (await readdir(join(shard, after!))).filter((name) => name.startsWith('commits-'));
  const links = await Promise.all(shared.map(async (name) => (await stat(join(shard, after!, name))).nlink));
  expect(links).toContain(2);
  let patch: Buffer | null = null;
  while (patch === null) {
    await sleep(100);
    await other.refresh(id, CHANGE_INDEX_FOLDER);
    patch = openChangeIndex(hunksFolder(otherDisk, id))!.patch(commit);
  }
  expect(patch.toString()).toContain('lighthouse');
});

test('the disk is a cache: files that are deleted while the server runs are fetched again', {
  timeout: 60_000,
}, async () => {
  const { dataDir } = app.deps.config;
  const { shard } = projectStorage(dataDir, id);
  const { passages } = await search('lighthouse');
  expect(passages).not.toEqual([]);
  const drop = async () => {
    await rm(shard, { recursive: true });
    await rm(hunksFolder(dataDir, id), { recursive: true });
  };
  await drop();
  expect(await search('lighthouse')).toMatchObject({ passages });
  await drop();
  app.deps.indexCache.evict(shard);
  expect(await search('lighthouse')).toMatchObject({ passages });

  await app.deps.projectFiles.evict(0);
  expect(await readdir(shard)).not.toEqual([]);
  await app.deps.projectFiles.evict(0, Date.now() + 3600_000);
  expect(await readdir(shard)).toEqual([]);
  expect(await search('lighthouse')).toMatchObject({ passages });
});

test('source maps are published and withdrawn with their rows', async () => {
  const map = { version: 3, sources: ['a.js'], names: [], mappings: 'AAAA' };
  const uploaded = await app.inject(
    {
      ...{ method: 'POST', url: `/api/projects/${id}/source-maps?release=1.0&path=a.js` },
      ...{
        headers: { 'content-type': 'application/octet-stream' },
        payload: Buffer.from(JSON.stringify(map)),
      },
    },
    app.ada,
  );
  expect(uploaded.statusCode).toBe(201);
  const { id: mapId } = uploaded.json() as { id: string };
  await other.fetch(id, sourceMapPath(mapId));
  const own = await readFile(sourceMapFile(app.deps.config.dataDir, id, mapId));
  expect(await readFile(sourceMapFile(otherDisk, id, mapId))).toEqual(own);
  await app.call(releaseRoutes.removeSourceMaps, { params: { id }, query: { source_map: mapId } }, app.ada);
  expect(await listPaths()).not.toContain(sourceMapPath(mapId));
});

test('objects of replaced versions are deleted after a day, those that are named never', async () => {
  const before = (await listObjects(store, id)).length;
  const { signal } = new AbortController();
  await store.put('a-deleted-project/0', Buffer.from('left over'));
  await other.deleteUnreferenced(signal);
  expect((await listObjects(store, id)).length).toBe(before);
  await other.deleteUnreferenced(signal, Date.now() + UNREFERENCED_OBJECT_MS + 60_000);
  expect((await listObjects(store, id)).length).toBeLessThan(before);
  expect(await listObjects(store, 'a-deleted-project')).toEqual([]);
  await rm(projectStorage(otherDisk, id).root, { recursive: true });
  for (const path of await listPaths()) await other.refresh(id, path);
  expect((await openOnOther()).code).not.toBeNull();
});

test('an index with a damaged object is rebuilt', { timeout: 40_000 }, async () => {
  const { shard_generation: generation } = await readProject();
  const files = app.deps.db
    .selectFrom('project_files')
    .select('files')
    .where('path', '!=', REPOSITORY_FOLDER);
  const objects = (await files.execute()).flatMap((row) => row.files).flatMap((file) => file.objects);
  for (const hash of objects) await store.put(objectKey(id, hash), Buffer.from('damaged'));
  await expect(openOnFreshDisk()).rejects.toMatchObject({ reason: 'stored_object_damaged' });
  const { shard } = projectStorage(app.deps.config.dataDir, id);
  await rm(shard, { recursive: true });
  app.deps.indexCache.evict(shard);
  await expect(openProjectIndex(app.deps, await readProject())).rejects.toMatchObject({
    code: 'index_rebuilding',
  });
  for (;;) {
    const project = await readProject();
    if (project.shard_generation !== generation && project.status === 'ready' && project.activity === null)
      break;
    await sleep(100);
  }
  expect((await search('lighthouse')).passages).not.toEqual([]);
  expect((await openOnOther()).code).not.toBeNull();

  await rm(hunksFolder(otherDisk, id), { recursive: true });
  await other.follow(id, CHANGE_INDEX_FOLDER);
  expect(await listPaths()).not.toContain(CHANGE_INDEX_FOLDER);
  await queueHunks(app.deps, id);
  await waitForChanges();
  await other.follow(id, CHANGE_INDEX_FOLDER);
  expect(openChangeIndex(hunksFolder(otherDisk, id))!.commits).toBeGreaterThan(0);
});

async function openOnFreshDisk(): Promise<void> {
  const { shard_generation: generation } = await readProject();
  const dataDir = await mkdtemp(join(tmpdir(), 'hindsight-fresh-'));
  try {
    await openProjectFiles({ db: app.deps.db, dataDir, store }).fetch(id, generationPath(generation!));
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

test('files move out of the store and into it', { timeout: 40_000 }, async () => {
  const { db } = app.deps;
  const moved: string[] = [];
  const move = {
    db,
    files: other,
    dataDir: otherDisk,
    onPath: (_: string, path: string) => void moved.push(path),
  };
  await rm(projectStorage(otherDisk, id).root, { recursive: true, force: true });
  await moveFilesOut(move);
  expect(moved).toContain(CHANGE_INDEX_FOLDER);
  expect(await listPaths()).toEqual([]);
  const local = openProjectFiles({ db, dataDir: otherDisk, store: null });
  await local.fetch(id, 'anything');
  expect((await openOnOther()).code).not.toBeNull();

  const { shard_generation: generation } = await readProject();
  const isReplaced = (path: string) =>
    path === REPOSITORY_FOLDER || (path.startsWith('shard/') && path !== generationPath(generation!));
  await writeFile(join(projectStorage(otherDisk, id).root, 'code-age.json'), '{}');
  await moveFilesIn(move);
  const expected = new Set([...moved, 'code-age.json'].filter((path) => !isReplaced(path)));
  expect(await listPaths()).toEqual([...expected].toSorted());
});

test('deleting the project empties its folder of the store', async () => {
  expect((await listObjects(store, id)).length).toBeGreaterThan(0);
  await app.call(projectRoutes.remove, { params: { id } }, app.ada);
  expect(await listObjects(store, id)).toEqual([]);
  expect(await listPaths()).toEqual([]);
});
