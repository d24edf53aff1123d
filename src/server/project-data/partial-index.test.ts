import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { ideRoutes } from '#contract/ide.ts';
import { lineRoutes } from '#contract/lines.ts';
import { projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { searchResultRoutes } from '#contract/search-results.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { buildLines } from '#memory/index/build-code.ts';
import { buildRecentCommits } from '#memory/index/build-commits.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { projectStorage } from './storage.ts';

const GENERATION = 'first';

let repo: TestRepository;
let app: TestApp;
let ada: TestUser;
let id: string;
let head: string;

/** A project whose files and newest commits have been read, and no symbols or older commits. */
beforeAll(async () => {
  const files = Array.from({ length: 100 }, (_, i) => [`door${i}.js`, `function openDoor${i}() {}\n`]);
  repo = await buildRepository(async (repo) => {
    await repo.commit({ files: Object.fromEntries(files), message: 'Add doors' });
  });
  head = await repo.head();
  app = await testApp();
  ada = await app.signUp('ada');
  id = await insertTestProject(app.deps, [[ada, 'owner']], { name: 'doors', status: 'queued' });
  const { dataDir } = app.deps.config;
  const storage = projectStorage(dataDir, id);
  await cp(repo.path, storage.repo, { recursive: true });
  const folder = join(storage.shard, GENERATION);
  await mkdir(folder, { recursive: true });
  const limits = { maxFileBytes: 10_000, maxEntries: 1000 };
  const task = { repo: storage.repo, revision: head, previous: null, folder, limits };
  const listener = { onProgress: () => {}, signal: new AbortController().signal };
  await buildLines({ ...task, kind: 'lines' }, listener);
  await buildRecentCommits({ ...task, kind: 'recent-commits' }, listener);
  const partial_index = JSON.stringify({ commit: head, pending: ['commits', 'symbols'] });
  await app.deps.db
    .updateTable('projects')
    .set({ status: 'indexing', shard_generation: GENERATION, branch: 'main', partial_index })
    .where('id', '=', id)
    .execute();
});

afterAll(async () => {
  await app.close();
  await repo.remove();
});

test('the project tells what can be searched', async () => {
  const { body } = await app.call(projectRoutes.get, { params: { id } }, ada);
  expect(body).toMatchObject({
    status: 'indexing',
    indexed_commit: null,
    partial_index: { commit: head, pending: ['commits', 'symbols'] },
  });
});

const find = async (q: string) =>
  (await app.call(searchResultRoutes.results, { query: { q, match: 'words' } }, ada)).body;

test('code, files and commits are found, and results say that more will be', async () => {
  const code = await find('openDoor42');
  expect(code.results[0]).toMatchObject({ kind: 'code', path: 'door42.js' });
  expect(code.projects).toMatchObject([{ state: 'partly_indexed', commit: head }]);
  const files = await find('type:files door42');
  expect(files.results[0]).toMatchObject({ kind: 'file', path: 'door42.js' });
  expect(files.projects).toMatchObject([{ state: 'searched' }]);
  const commits = await find('type:commits doors');
  expect(commits.results).toMatchObject([{ kind: 'commit', hash: head }]);
  expect(commits.projects).toMatchObject([{ state: 'partly_indexed' }]);
  const symbols = await find('type:symbols openDoor42');
  expect(symbols).toMatchObject({ results: [], projects: [{ state: 'not_ready' }] });
});

test('a search of the project lists what is pending', async () => {
  const query = { q: 'openDoor42', project_id: id };
  const { body } = await app.call(searchRoutes.search, { query }, ada);
  expect(body).toMatchObject({ commit: head, pending: ['commits', 'symbols'] });
  expect(body.passages[0]).toMatchObject({ path: 'door42.js', symbol: null });
});

test('lines are found and files are opened', async () => {
  const { body } = await app.call(
    lineRoutes.find,
    { query: { q: 'openDoor42', project_id: id, match: 'text' } },
    ada,
  );
  expect(body).toMatchObject({ commit: head, lines: [{ path: 'door42.js' }] });
  const tree = await app.call(ideRoutes.files, { params: { id }, query: {} }, ada);
  expect(Object.keys(tree.body)).toHaveLength(100);
  const read = (query: { ref?: string }) =>
    app.call(ideRoutes.file, { params: { id, '*': 'door42.js' }, query }, ada);
  for (const query of [{}, { ref: head }])
    expect(await read(query)).toMatchObject({ status: 200, body: { content: 'function openDoor42() {}\n' } });
});

test('answers that need what is pending wait for it', async () => {
  const chat = await app.call(chatRoutes.send, { params: { id }, body: { message: 'Why?' } }, ada);
  const error = { project_id: id, error_message: 'Error: x' };
  const debug = await app.call(debugRoutes.debug, { body: error }, ada);
  for (const { status, error } of [chat, debug])
    expect({ status, reason: error?.reason }).toEqual({ status: 503, reason: 'not_ready' });
});
