import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { ideRoutes } from '#contract/ide.ts';
import { lineRoutes } from '#contract/lines.ts';
import { type PendingPart, projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { searchResultRoutes } from '#contract/search-results.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { buildLines } from '#memory/index/build-code.ts';
import { buildCommits, buildRecentCommits } from '#memory/index/build-commits.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { projectStorage } from './storage.ts';

/** A busy machine loads a thread for the first search in ten seconds. */
const SLOW = { timeout: 120_000 };
const LISTENER = { onProgress: () => {}, signal: new AbortController().signal };

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
  await cp(repo.path, projectStorage(app.deps.config.dataDir, id).repo, { recursive: true });
  await publish(['commits', 'symbols']);
});

/** Publishes a generation in which these parts are pending. */
async function publish(pending: PendingPart[]): Promise<void> {
  const storage = projectStorage(app.deps.config.dataDir, id);
  const generation = `without-${pending.join('-')}`;
  const folder = join(storage.shard, generation);
  await mkdir(folder, { recursive: true });
  const limits = { maxFileBytes: 10_000, maxEntries: 1000 };
  const task = { repo: storage.repo, revision: head, previous: null, folder, limits };
  await buildLines({ ...task, kind: 'lines' }, LISTENER);
  if (pending.includes('commits')) await buildRecentCommits({ ...task, kind: 'recent-commits' }, LISTENER);
  else await buildCommits({ ...task, kind: 'commits' }, LISTENER);
  const partial_index = JSON.stringify({ commit: head, pending });
  await app.deps.db
    .updateTable('projects')
    .set({ status: 'indexing', shard_generation: generation, branch: 'main', partial_index })
    .where('id', '=', id)
    .execute();
}

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

/** Repeats a call that a busy server has refused. */
const untilDone = <T extends { status: number }>(call: () => Promise<T>): Promise<T> =>
  vi.waitFor(
    async () => {
      const reply = await call();
      expect(reply.status).toBe(200);
      return reply;
    },
    { timeout: 60_000, interval: 200 },
  );

const find = async (q: string) => {
  const query = { q, match: 'words' as const };
  return (await untilDone(() => app.call(searchResultRoutes.results, { query }, ada))).body;
};

test('code, files and commits are found, and results say that more will be', SLOW, async () => {
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

test('a search of the project lists what is pending', SLOW, async () => {
  const query = { q: 'openDoor42', project_id: id };
  const { body } = await untilDone(() => app.call(searchRoutes.search, { query }, ada));
  expect(body).toMatchObject({ commit: head, pending: ['commits', 'symbols'] });
  expect(body.passages[0]).toMatchObject({ path: 'door42.js', symbol: null });
});

test('lines are found and files are opened', SLOW, async () => {
  const query = { q: 'openDoor42', project_id: id, match: 'text' as const };
  const { body } = await untilDone(() => app.call(lineRoutes.find, { query }, ada));
  expect(body).toMatchObject({ commit: head, lines: [{ path: 'door42.js' }] });
  const tree = await app.call(ideRoutes.files, { params: { id }, query: {} }, ada);
  expect(Object.keys(tree.body)).toHaveLength(100);
  const read = (query: { ref?: string }) =>
    app.call(ideRoutes.file, { params: { id, '*': 'door42.js' }, query }, ada);
  for (const query of [{}, { ref: head }])
    expect(await read(query)).toMatchObject({ status: 200, body: { content: 'function openDoor42() {}\n' } });
});

async function expectAnswersToWait(): Promise<void> {
  const chat = await app.call(chatRoutes.send, { params: { id }, body: { message: 'Why?' } }, ada);
  const error = { project_id: id, error_message: 'Error: x' };
  const debug = await app.call(debugRoutes.debug, { body: error }, ada);
  for (const { status, error } of [chat, debug])
    expect({ status, reason: error?.reason }).toEqual({ status: 503, reason: 'not_ready' });
}

test('answers wait for what is pending, and commits for the whole history', SLOW, async () => {
  const showCommit = () => app.call(projectRoutes.commit, { params: { id, sha: head }, query: {} }, ada);
  await expectAnswersToWait();
  expect((await showCommit()).status).toBe(503);
  await publish(['symbols']);
  await expectAnswersToWait();
  expect((await showCommit()).status).toBe(200);
  expect((await find('type:commits doors')).projects).toMatchObject([{ state: 'searched' }]);
});
