import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debugRoutes } from '#contract/debug.ts';
import { projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let repository: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let project_id: string;
const oids = { first: '', second: '', last: '' };

const PARSE = (body: string) => `export function parseAmount(text) {\n  ${body}\n}\n`;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const change = (date: string, message: string, body: string) =>
      repo.commit({ date, message, files: { 'src/amount.js': PARSE(body) } });
    oids.first = await change('2024-03-01T10:00:00Z', 'Read amounts', 'return Number(text.trim());');
    await repo.tag('v1.0');
    oids.second = await change(
      '2024-03-05T23:30:00Z',
      'Accept commas in amounts',
      'return Number(swapCommas(text));',
    );
    oids.last = await change(
      '2024-04-01T10:00:00Z',
      'Round amounts in parseAmount',
      'return roundCents(Number(text));',
    );
  });
  gitServer = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [gitServer.host] } } });
  ada = await app.signUp('ada');
  const body = { name: 'Amounts', git_url: `${gitServer.url}/${repository.name}` };
  project_id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  for (let round = 0; round < 2_000; round++) {
    const { body: now } = await app.call(projectRoutes.get, { params: { id: project_id } }, ada);
    if (now.status === 'ready' && now.activity === null) return;
    await sleep(50);
  }
  throw new Error('the project did not become ready');
});

afterAll(async () => {
  await app.close();
  await gitServer.close();
  await repository.remove();
});

const search = (q: string, revision?: string) =>
  app.call(searchRoutes.search, { query: { q, project_id, ...(revision && { revision }) } }, ada);

test.each([
  ['a hash', () => oids.second],
  ['an abbreviation', () => oids.second.slice(0, 9)],
  ['a day, its last minutes included', () => '2024-03-05'],
  ['a later day without commits', () => '2024-03-20'],
])('search reads the code of %s', async (_, revision) => {
  const then = await search('swapCommas', revision());
  expect(then.body).toMatchObject({ commit: oids.second, passages: [{ path: 'src/amount.js' }] });
  expect((await search('roundCents', revision())).body.passages).toEqual([]);
  expect((await search('round amounts', revision())).body.commits.map(({ hash }) => hash)).not.toContain(
    oids.last,
  );
});

test('a tag is a revision, and the default is the head', async () => {
  expect((await search('trim', 'v1.0')).body).toMatchObject({ commit: oids.first, passages: [{}] });
  expect((await search('trim')).body).toMatchObject({ commit: oids.last, passages: [] });
});

test.each(['v9', '2001-01-01', 'deadbeef1', '--all', 'HEAD@{1}', 'a..b'])(
  'the revision %j is refused in words',
  async (revision) => {
    const { status, error } = await search('trim', revision);
    expect(status).toBe(404);
    expect(error?.message).toMatch(/has no commit/);
  },
);

const ERROR = `ReferenceError: roundCents is not defined
    at parseAmount (src/amount.js:2:3)`;

test('a commit after the given revision is never a suspect', async () => {
  const ask = (revision?: string) => {
    const body = { project_id, error_message: ERROR, revision };
    return app.call(debugRoutes.debug, { body }, ada);
  };
  const suspects = async (revision?: string) =>
    (await ask(revision)).body.suspect_commits?.map(({ hash }) => hash) ?? [];
  expect(await suspects()).toContain(oids.last);
  expect(await suspects(oids.second)).not.toContain(oids.last);
});
