import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debugRoutes } from '#contract/debug.ts';
import { historyRoutes } from '#contract/history.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let repository: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let eve: TestUser;
let project: Project;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({
      author: 'Ada Lovelace',
      message: 'Count words',
      files: {
        'src/count.js': 'export function countWords(text) {\n  return text.split(" ").length;\n}\n',
        'logo.png': Buffer.from([0x89, 0x50, 0, 0, 1]),
        'a folder/naïve.txt': 'one\ntwo\n',
        '-rf': 'a literal name\n',
        ':(glob)**': 'another\n',
      },
    });
    await repo.commit({
      author: 'Bea Ortiz',
      message: 'Say what it does',
      files: { 'README.md': '# Words\n' },
    });
  });
  gitServer = await serveRepositories(repository.folder);
  app = await testApp({ work: true, config: { git: { ...GIT, allowedPrivateHosts: [gitServer.host] } } });
  ada = await app.signUp('ada');
  eve = await app.signUp('eve');
  project = await connect(ada);
});

afterAll(async () => {
  await app.close();
  await gitServer.close();
  await repository.remove();
});

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };

async function connect(user: TestUser): Promise<Project> {
  const created = await app.call(
    projectRoutes.create,
    { body: { name: 'Words', git_url: `${gitServer.url}/${repository.name}` } },
    user,
  );
  expect(created.status).toBe(201);
  expect(created.body.status).toBe('queued');
  return await waitUntilIdle(created.body.id, user);
}

async function waitUntilIdle(id: string, user: TestUser): Promise<Project> {
  for (let round = 0; round < 1_800; round++) {
    const { body } = await app.call(projectRoutes.get, { params: { id } }, user);
    if (body.activity === null) return body;
    await sleep(50);
  }
  throw new Error('the project did not come to rest');
}

test('a connected repository becomes ready with complete coverage', async () => {
  expect(project).toMatchObject({ status: 'ready', branch: 'main', failure: null, role: 'owner' });
  expect(project.indexed_commit).toBe(await repository.head());
  expect(project.coverage).toMatchObject({ files: 6, indexed: 5, skipped: 1, commits: 2 });
  const skipped = await app.call(projectRoutes.skipped, { params: { id: project.id }, query: {} }, ada);
  expect(skipped.body.files).toEqual([{ path: 'logo.png', reason: 'binary', size: 5 }]);
});

test('commits are paged, newest first', async () => {
  const page = { params: { id: project.id }, query: { limit: '1' } };
  const first = await app.call(projectRoutes.commits, page, ada);
  expect(first.body).toMatchObject({ total: 2, has_more: true });
  expect(first.body.commits[0]).toMatchObject({
    message: 'Say what it does',
    author: 'Bea Ortiz',
    files_changed: ['README.md'],
  });
  const second = await app.call(
    projectRoutes.commits,
    { params: { id: project.id }, query: { limit: '1', skip: '1' } },
    ada,
  );
  expect(second.body).toMatchObject({ has_more: false, commits: [{ message: 'Count words' }] });
});

test('a commit is found by its short hash, with its diff', async () => {
  const head = await repository.head();
  const { body } = await app.call(
    projectRoutes.commit,
    { params: { id: project.id, sha: head.slice(0, 7) }, query: {} },
    ada,
  );
  expect(body).toMatchObject({ hash: head, files: [{ new_path: 'README.md' }] });
  expect(body.files[0]?.hunks[0]?.lines).toEqual([{ kind: 'add', text: '# Words' }]);
  const unknown = await app.call(
    projectRoutes.commit,
    { params: { id: project.id, sha: 'abcdef0' }, query: {} },
    ada,
  );
  expect(unknown.status).toBe(404);
});

test.each(['src/count.js', 'a folder/naïve.txt', '-rf', ':(glob)**'])(
  'the file %s opens with blame',
  async (path) => {
    const { status, body } = await app.call(
      projectRoutes.file,
      { params: { id: project.id, '*': path }, query: {} },
      ada,
    );
    expect(status).toBe(200);
    expect(body.lines.length).toBe(body.total_lines);
    expect(body.blame[0]).toMatchObject({ start: 1, author: 'Ada Lovelace', summary: 'Count words' });
  },
);

test('search and debug use the index, and feedback is saved', async () => {
  const found = await app.call(
    searchRoutes.search,
    { query: { q: 'countWords', project_id: project.id } },
    ada,
  );
  expect(found.body.passages[0]).toMatchObject({ path: 'src/count.js', symbol: 'countWords' });
  const error =
    "TypeError: Cannot read properties of undefined (reading 'split')\n    at countWords (src/count.js:2:15)";
  const answer = await app.call(
    debugRoutes.debug,
    { body: { error_message: error, project_id: project.id } },
    ada,
  );
  expect(answer.body.number).toBe(1);
  expect(answer.body.places[0]).toMatchObject({ path: 'src/count.js', symbol: 'countWords' });
  const created = await app.call(
    historyRoutes.giveFeedback,
    { body: { debug_query_id: 1, helpful: true, comments: 'Solution was helpful' } },
    ada,
  );
  expect(created.status).toBe(201);
  const session = await app.call(debugRoutes.session, { params: { id: answer.body.id } }, ada);
  expect(session.body).toMatchObject({ state: 'solved', number: 1, feedback: [{ helpful: true }] });
  await app.call(debugRoutes.debug, { body: { error_message: error, project_id: project.id } }, ada);
  const list = await app.call(debugRoutes.sessions, { query: {} }, ada);
  expect(list.body.sessions.map(({ number, state }) => [number, state])).toEqual([
    [2, 'regressed'],
    [1, 'regressed'],
  ]);
});

test('a refresh indexes new commits while the project stays ready', async () => {
  const mine = await connect(ada);
  const oid = await repository.commit({
    message: 'Count lines too',
    files: { 'src/lines.js': 'export const x = 1;\n' },
  });
  const refreshed = await app.call(projectRoutes.refresh, { params: { id: mine.id } }, ada);
  expect(refreshed).toMatchObject({ status: 202, body: { status: 'ready' } });
  const fresh = await waitUntilIdle(mine.id, ada);
  expect(fresh).toMatchObject({ status: 'ready', indexed_commit: oid, coverage: { commits: 3, files: 7 } });
});

test('a URL without a repository fails with a message and can be retried', async () => {
  const created = await app.call(
    projectRoutes.create,
    { body: { name: 'Nothing', git_url: `${gitServer.url}/missing.git` } },
    ada,
  );
  const failed = await waitUntilIdle(created.body.id, ada);
  expect(failed.status).toBe('failed');
  expect(failed.failure?.text).toMatch(/not found|private/i);
  await app.call(projectRoutes.refresh, { params: { id: failed.id } }, ada);
  expect((await waitUntilIdle(failed.id, ada)).status).toBe('failed');
});

test('a duplicate URL is allowed and reported', async () => {
  const again = await app.call(
    projectRoutes.create,
    { body: { name: 'Again', git_url: `${gitServer.url}/${repository.name}` } },
    ada,
  );
  expect(again.body.duplicate_of).toMatchObject({ name: 'Words' });
  await waitUntilIdle(again.body.id, ada);
  const removed = await app.call(projectRoutes.remove, { params: { id: again.body.id } }, ada);
  expect(removed.body).toEqual({ ok: true });
  expect((await app.call(projectRoutes.get, { params: { id: again.body.id } }, ada)).status).toBe(404);
});

test('a project does not exist for non-members', async () => {
  const params = { id: project.id };
  const replies = await Promise.all([
    app.call(projectRoutes.get, { params }, eve),
    app.call(projectRoutes.remove, { params }, eve),
    app.call(projectRoutes.refresh, { params }, eve),
    app.call(projectRoutes.commits, { params, query: {} }, eve),
    app.call(projectRoutes.commit, { params: { ...params, sha: await repository.head() }, query: {} }, eve),
    app.call(projectRoutes.skipped, { params, query: {} }, eve),
    app.call(projectRoutes.file, { params: { ...params, '*': 'README.md' }, query: {} }, eve),
    app.call(searchRoutes.search, { query: { q: 'count', project_id: project.id } }, eve),
    app.call(debugRoutes.debug, { body: { error_message: 'x', project_id: project.id } }, eve),
    app.call(debugRoutes.session, { params: { id: '1' } }, eve),
    app.call(historyRoutes.giveFeedback, { body: { debug_query_id: 1, helpful: true } }, eve),
    app.call(historyRoutes.feedback, { params, query: { scope: 'project' } }, eve),
  ]);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
  expect((await app.call(projectRoutes.list, {}, eve)).body).toEqual([]);
});
