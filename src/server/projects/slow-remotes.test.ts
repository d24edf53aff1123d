import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type EndlessServer, gitChildren, serveEndlessRefs } from '#git/testing-remotes.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 600, maxFileBytes: 2 ** 20 };
const SOON = { timeout: 30_000, interval: 50 };

let app: TestApp;
let endless: EndlessServer;
let honest: GitServer;
let repository: TestRepository;
let ada: TestUser;
let bea: TestUser;

beforeAll(async () => {
  repository = await buildRepository(async (building) => {
    await building.commit({ files: { 'a.ts': 'export const a = 1;\n' } });
  });
  honest = await serveRepositories(repository.folder);
  endless = await serveEndlessRefs({ bytesPerS: 2048 });
  const allowedPrivateHosts = [honest.host, endless.host];
  app = await testApp({ work: true, config: { git: { ...GIT, allowedPrivateHosts } } });
  [ada, bea] = [await app.signUp('ada'), await app.signUp('bea')];
});
afterAll(async () => {
  await app.close();
  await Promise.all([honest.close(), endless.close(), repository.remove()]);
});

const connect = async (user: TestUser, name: string, gitUrl: string) =>
  (await app.call(projectRoutes.create, { body: { name, git_url: gitUrl } }, user)).body.id;
const read = async (user: TestUser, id: string) =>
  (await app.call(projectRoutes.get, { params: { id } }, user)).body;

test('one user’s slow git servers occupy one slot, freed when their projects are deleted', async () => {
  const slow = [];
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    slow.push(await connect(bea, name, `${endless.url}/${name}.git`));
  }
  await vi.waitFor(() => expect(gitChildren(endless.host)).not.toEqual([]), SOON);
  const userProjects = await connect(ada, 'mine', `${honest.url}/${repository.name}`);
  await vi.waitFor(
    async () => expect(await read(ada, userProjects)).toMatchObject({ status: 'ready', failure: null }),
    SOON,
  );
  expect(endless.open).toBe(1);

  for (const id of slow) await app.call(projectRoutes.remove, { params: { id } }, bea);
  // By themselves they would end after ten minutes.
  await vi.waitFor(() => expect(gitChildren(endless.host)).toEqual([]), SOON);

  const adaProject = await connect(bea, 'hers', `${honest.url}/${repository.name}`);
  await vi.waitFor(
    async () => expect(await read(bea, adaProject)).toMatchObject({ status: 'ready', failure: null }),
    SOON,
  );
  expect(endless.open).toBe(0);
});

test('a deletion by another process cancels the project’s work here', async () => {
  const id = await connect(bea, 'elsewhere', `${endless.url}/elsewhere.git`);
  await vi.waitFor(() => expect(gitChildren(endless.host)).not.toEqual([]), SOON);
  // A replica deletes the rows and notifies the others.
  await app.deps.db.deleteFrom('projects').where('id', '=', id).execute();
  app.deps.events.emit({ type: 'project-removed', projectId: id, userIds: [] });
  await vi.waitFor(() => expect(gitChildren(endless.host)).toEqual([]), SOON);
});

test('a clone stopped by an administrator is reported on the project', async () => {
  const id = await connect(bea, 'stopped', `${endless.url}/stopped.git`);
  await vi.waitFor(() => expect(gitChildren(endless.host)).not.toEqual([]), SOON);
  const { rows } = await sql<{ id: string }>`
    select id::text as id from pgboss.job where name = 'ingest' and state = 'active'`.execute(app.deps.db);
  expect(await app.deps.jobs.cancel('ingest', rows[0]!.id)).toBe(true);
  await vi.waitFor(() => expect(gitChildren(endless.host)).toEqual([]), SOON);
  const waitUntilStopped = { status: 'failed', activity: null, failure: { code: 'errors.indexing_stopped' } };
  await vi.waitFor(async () => expect(await read(bea, id)).toMatchObject(waitUntilStopped), SOON);
});
