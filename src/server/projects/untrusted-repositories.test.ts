import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { fakeLookup, HOSTILE_URLS } from '#egress/testing.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { HOSTILE_PATHS, HOSTILE_QUERIES, ODD_NAMES } from '#git/testing-hostile.ts';
import { spawnCount } from '#git/testing-spawn-count.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let repository: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let projectId: string;

/** Planted next to the repositories; must never be read. */
const SECRET = 'root:x:0:0';

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({
      files: {
        'a/b.txt': 'text\n',
        '%2e%2e%2fx': 'a name with percent signs\n',
        ['__proto__']: 'a literal name\n',
        constructor: 'another\n',
        '-rf': 'a third\n',
        ':(glob)**': 'a fourth\n',
      },
    });
  });
  gitServer = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({
    work: true,
    lookup: fakeLookup,
    config: { git: { ...git, allowedPrivateHosts: [gitServer.host] } },
  });
  ada = await app.signUp('ada');
  const body = { name: 'Odd names', git_url: `${gitServer.url}/${repository.name}` };
  projectId = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  await waitUntilIdle();
});

/** A project has no activity between two jobs either, so no git process may have started for a second. */
async function waitUntilIdle(): Promise<void> {
  let listGitProcesses = spawnCount();
  for (let quiet = 0; quiet < 10; quiet++) {
    await sleep(100);
    const { body: project } = await app.call(projectRoutes.get, { params: { id: projectId } }, ada);
    if (project.activity !== null || spawnCount() !== listGitProcesses) quiet = -1;
    listGitProcesses = spawnCount();
  }
}

afterAll(async () => {
  await app.close();
  await gitServer.close();
  await repository.remove();
});

test.each(HOSTILE_URLS)('the URL %j is rejected with a message before git starts', async (address) => {
  const before = { spawned: spawnCount(), projects: await countProjects() };
  const reply = await app.call(projectRoutes.create, { body: { name: 'x', git_url: address } }, ada);
  expect([400, 422]).toContain(reply.status);
  expect(reply.error?.message).toMatch(/^\S.{20,}[.!?]$/);
  expect(reply.error?.message).not.toMatch(/401|403|token/i);
  expect({ spawned: spawnCount(), projects: await countProjects() }).toEqual(before);
});

async function countProjects(): Promise<number> {
  return (await app.call(projectRoutes.list, {}, ada)).body.length;
}

/** A file with this escaped name exists. */
const ESCAPED_NAME = '%252e%252e%252fx';

test.each(HOSTILE_PATHS.filter((path) => path !== ESCAPED_NAME))('the path %j is not found', async (path) => {
  const reply = await app.inject({ method: 'GET', url: `/api/projects/${projectId}/files/${path}` }, ada);
  expect([400, 404, 414, 422]).toContain(reply.statusCode);
  expect(reply.body).not.toContain(SECRET);
});

test.each([...ODD_NAMES, ESCAPED_NAME])('the unusual name %j opens', async (path) => {
  const url = `/api/projects/${projectId}/files/${path}`;
  const reply = await app.inject({ method: 'GET', url }, ada);
  expect(reply.statusCode).toBe(200);
  expect(reply.json().lines).toHaveLength(1);
});

test.each(['-x', '--output=/tmp/x', 'HEAD:', '@{u}', 'a..b', '^main', 'main\0', 'refs/../x', ' '])(
  'the revision %j is not found',
  async (ref) => {
    const params = { id: projectId, '*': 'a/b.txt' };
    const reply = await app.call(projectRoutes.file, { params, query: { ref } }, ada);
    expect([400, 404, 422]).toContain(reply.status);
  },
);

test.each(HOSTILE_QUERIES)('the query %j returns results', async (q) => {
  const reply = await app.call(searchRoutes.search, { query: { q, project_id: projectId } }, ada);
  expect(reply.status).toBe(200);
  expect(reply.body.passages.length).toBeLessThanOrEqual(50);
});

test.each(['', '   ', 'a\0b'])('the query %j is rejected with a message', async (q) => {
  const reply = await app.call(searchRoutes.search, { query: { q, project_id: projectId } }, ada);
  expect(reply).toMatchObject({ status: 422, error: { code: 'invalid_input' } });
});

test.each(['-1', '1e9', 'NaN', '9223372036854775808', '', '1.5', '0x10'])(
  'skip=%s is rejected',
  async (skip) => {
    const params = { id: projectId };
    const reply = await app.call(projectRoutes.commits, { params, query: { skip } }, ada);
    expect(reply.status).toBe(422);
  },
);
