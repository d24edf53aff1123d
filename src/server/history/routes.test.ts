import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DebugAnswer, debugRoutes } from '#contract/debug.ts';
import { historyRoutes } from '#contract/history.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let repository: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let eve: TestUser;
let projectId: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    for (const name of ['one', 'two', 'three']) {
      await repo.commit({ message: `Add ${name}`, files: { [`${name}.js`]: `export const ${name} = 1;\n` } });
    }
  });
  gitServer = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [gitServer.host] } } });
  [ada, eve] = [await app.signUp('ada'), await app.signUp('eve')];
  const body = { name: 'Numbers', git_url: `${gitServer.url}/${repository.name}` };
  projectId = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  while ((await project()).activity !== null) await sleep(50);
});
afterAll(async () => {
  await app.close();
  await gitServer.close();
  await repository.remove();
});

const project = async () => (await app.call(projectRoutes.get, { params: { id: projectId } }, ada)).body;

test('the history lists the commits of the project, paged', async () => {
  const query = { skip: '1', limit: '1' };
  const params = { id: projectId };
  const history = await app.call(
    historyRoutes.commits,
    { params, query: { ...query, project_id: projectId } },
    ada,
  );
  expect(history.body).toMatchObject({ total: 3, has_more: true, commits: [{ message: 'Add two' }] });
  expect(history.body).toEqual((await app.call(projectRoutes.commits, { params, query }, ada)).body);
});

test('a project id in the query does not grant access to another history', async () => {
  const foreign = await app.call(historyRoutes.commits, { params: { id: projectId }, query: {} }, eve);
  expect(foreign.status).toBe(404);
  const shadowed = await app.call(
    historyRoutes.commits,
    { params: { id: 'missing' }, query: { project_id: projectId } },
    ada,
  );
  expect(shadowed.status).toBe(404);
});

test('both debug routes answer and number alike, and feedback refers to its session', async () => {
  const body = { error_message: 'ReferenceError: three is not defined', project_id: projectId };
  const answers: DebugAnswer[] = [];
  for (const route of [debugRoutes.debug, debugRoutes.rag]) {
    answers.push((await app.call(route, { body }, ada)).body);
  }
  expect(answers.map(({ number }) => number)).toEqual([1, 2]);
  expect(answers[1]!.places).toEqual(answers[0]!.places);

  await app.call(
    historyRoutes.giveFeedback,
    { body: { debug_query_id: 1, helpful: true, comments: 'Solution was helpful' } },
    ada,
  );
  const record = {
    helpful: true,
    comments: 'Solution was helpful',
    session_id: answers[0]!.id,
    session_title: 'ReferenceError: three is not defined',
    author: 'ada',
  };
  const ofProject = { params: { id: projectId }, query: { scope: 'project' as const } };
  expect((await app.call(historyRoutes.feedback, ofProject, ada)).body).toMatchObject([record]);
  const ofSession = await app.call(historyRoutes.feedback, { params: { id: '1' }, query: {} }, ada);
  expect(ofSession.body).toMatchObject([record]);
  const ofOther = await app.call(historyRoutes.feedback, { params: { id: '2' }, query: {} }, ada);
  expect(ofOther.body).toEqual([]);
  expect((await app.call(historyRoutes.feedback, ofProject, eve)).status).toBe(404);
});
