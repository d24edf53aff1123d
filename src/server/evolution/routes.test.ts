import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evolutionRoutes } from '#contract/evolution.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const LONG = { timeout: 100_000 };
const BODY = (count: number) => 'export function f(a) {\n  if (a) return 1;\n}\n'.repeat(count);

let repository: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let id: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ date: '2022-05-01T00:00:00Z', files: { 'src/a.js': BODY(2), 'lib/b.js': BODY(1) } });
    await repo.commit({
      ...{ date: '2024-05-01T00:00:00Z', author: 'Bob', message: 'Fix crash in a' },
      files: { 'src/a.js': BODY(3) },
    });
  });
  gitServer = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [gitServer.host] } } });
  ada = await app.signUp('ada');
  const body = { name: 'Shop', git_url: `${gitServer.url}/${repository.name}` };
  id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  await waitFor(async () => {
    const { body: project } = await app.call(projectRoutes.get, { params: { id } }, ada);
    return project.status === 'ready' && project.activity === null;
  });
});

afterAll(async () => {
  await app.close();
  await gitServer.close();
  await repository.remove();
});

async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 1_600; round++) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error('The condition did not become true.');
}

const get = async (query: { from?: string; to?: string; path?: string } = {}) =>
  await app.call(evolutionRoutes.get, { params: { id }, query }, ada);

test('measures a period and a folder, by default the last year of the project', LONG, async () => {
  const { status, body } = await get();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    scope: { from: '2023-05-02', to: '2024-05-01', path: '', first_day: '2022-05-01' },
    activity: { commits: 1, people: 1, new_people: 1 },
    fixes: { fixes: 1, files: [{ path: 'src/a.js', fixes: 1 }] },
  });
  const lib = await get({ from: '2022-01-01', path: '/lib/' });
  expect(lib.body).toMatchObject({ scope: { path: 'lib' }, activity: { commits: 1 }, fixes: { fixes: 0 } });
  // From the cache: the same scope.
  expect((await get({ from: '2022-01-01', path: 'lib' })).body).toEqual(lib.body);
  const coupling = await app.call(evolutionRoutes.coupling, { params: { id }, query: {} }, ada);
  expect(coupling.body).toMatchObject({ scope: { to: '2024-05-01' }, pairs: [] });
});

test('refuses days that do not exist and paths without an end', async () => {
  for (const query of [{ from: '2024-02-30' }, { to: 'yesterday' }, { path: 'x'.repeat(1001) }]) {
    expect((await get(query)).status).toBe(422);
  }
});

test('the age of the code is measured when it is first asked for', LONG, async () => {
  const age = async () => (await app.call(evolutionRoutes.age, { params: { id }, query: {} }, ada)).body;
  expect(await age()).toMatchObject({ complete: false, files: 2, measured: 0, years: [] });
  await waitFor(async () => (await age()).complete);
  expect(await age()).toMatchObject({
    ...{ measured: 2, lines: 12 },
    // One function of three lines was added in 2024.
    years: [
      { year: 2022, lines: 9, added: 9 },
      { year: 2024, lines: 3, added: 3 },
    ],
  });
});
