import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lineRoutes } from '#contract/lines.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };

let repo: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let user: TestUser;
let project_id: string;

beforeAll(async () => {
  repo = await buildRepository(async (repo) => {
    const call = 'export const call = (url) => retry(3, () => fetch(url));\n';
    await repo.commit({
      files: { 'lib/net.js': call, 'notes.md': `${'a'.repeat(60)}\nretry(3) is enough\n` },
    });
  });
  gitServer = await serveRepositories(repo.folder);
  app = await testApp({ work: true, config: { git: { ...GIT, allowedPrivateHosts: [gitServer.host] } } });
  user = await app.signUp();
  const body = { name: 'Lines', git_url: `${gitServer.url}/${repo.name}` };
  project_id = (await app.call(projectRoutes.create, { body }, user)).body.id;
  const waitUntilReady = async () => {
    const { body } = await app.call(projectRoutes.get, { params: { id: project_id } }, user);
    expect(body.status).toBe('ready');
  };
  await vi.waitFor(waitUntilReady, { timeout: 60_000, interval: 200 });
}, 90_000);

afterAll(async () => {
  await app?.close();
  await gitServer?.close();
  await repo?.remove();
});

const find = (query: { q: string; match?: 'text' | 'regex'; limit?: string }, who = user) =>
  app.call(lineRoutes.find, { query: { project_id, ...query } }, who);

test('lines with an exact text are found in path order, up to the limit', async () => {
  const { body } = await find({ q: 'retry(3' });
  expect(body.lines.map(({ path, line }) => [path, line])).toEqual([
    ['lib/net.js', 1],
    ['notes.md', 2],
  ]);
  expect(body).toMatchObject({ commit: await repo.head(), partial: false });
  expect((await find({ q: 'retry(3', limit: '1' })).body).toMatchObject({ lines: [{}], partial: true });
  expect((await find({ q: 'retry[(]' })).body.lines).toEqual([]);
});

test('a regular expression is matched, and an invalid one rejected', async () => {
  expect((await find({ q: 'retry[(][0-9],', match: 'regex' })).body.lines).toHaveLength(1);
  expect(await find({ q: 'retry(', match: 'regex' })).toMatchObject({ status: 400 });
});

test('a non-member gets not found', async () => {
  expect((await find({ q: 'retry' }, await app.signUp())).status).toBe(404);
});
