import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { buildRepository, serveRepositories } from '#git/testing.ts';
import { projectStorage } from '../project-data/storage.ts';
import { testApp } from '../testing.ts';

const LIMITS = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };

test('a project without index is indexed from its commits when the upstream is gone, and says why it was not fetched', async () => {
  const repository = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'src/anchor.ts': 'export const harbourAnchor = 1;\n' } });
  });
  const gitServer = await serveRepositories(repository.folder);
  const app = await testApp({
    work: true,
    config: { git: { ...LIMITS, allowedPrivateHosts: [gitServer.host] } },
  });
  onTestFinished(async () => {
    await app.close();
    await repository.remove();
  });
  const ada = await app.signUp();
  const body = { name: 'Anchor', git_url: `${gitServer.url}/${repository.name}` };
  const { id } = (await app.call(projectRoutes.create, { body }, ada)).body;
  const project = async () => (await app.call(projectRoutes.get, { params: { id } }, ada)).body;
  const isIdle = async () => {
    const { status, activity } = await project();
    return status === 'ready' && activity === null;
  };
  await expect.poll(isIdle, { timeout: 60_000 }).toBe(true);
  const before = await project();

  await gitServer.close();
  // A restore brings rows and commits, and no index.
  app.deps.indexCache.evict(projectStorage(app.deps.config.dataDir, id).shard);
  await rm(projectStorage(app.deps.config.dataDir, id).shard, { recursive: true });
  const query = { q: 'harbourAnchor', project_id: id };
  await app.call(searchRoutes.search, { query }, ada);
  await expect.poll(async () => (await project()).failure, { timeout: 60_000 }).not.toBeNull();
  await expect.poll(isIdle, { timeout: 60_000 }).toBe(true);
  expect((await project()).indexed_commit).toBe(before.indexed_commit);
  const found = await app.call(searchRoutes.search, { query }, ada);
  expect(JSON.stringify(found.body)).toContain('src/anchor.ts');
});
