import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };

let repo: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let user: TestUser;
let projectId: string;
const commits: Record<string, string> = {};

beforeAll(async () => {
  repo = await buildRepository(async (repo) => {
    const before = 'import { send } from "./send.js";\n\nexport const mail = (to) => send(to);\n';
    const body = 'export function call(url) {\n  return retryThrice(() => fetch(url));\n}\n';
    commits.mail = await repo.commit({ files: { 'mail.js': before }, message: 'Send mail' });
    commits.add = await repo.commit({ files: { 'net.js': body }, message: 'Try again when the line is bad' });
    commits.move = await repo.rename('net.js', 'lib/net.js', { message: 'Move the network' });
    commits.noise = await repo.commit({ files: { 'notes.md': 'nothing of interest\n' } });
    commits.drop = await repo.commit({
      files: { 'lib/net.js': body.replace('retryThrice(() => fetch(url))', 'fetch(url)') },
      message: 'Simplify calls',
    });
  });
  gitServer = await serveRepositories(repo.folder);
  app = await testApp({ work: true, config: { git: { ...GIT, allowedPrivateHosts: [gitServer.host] } } });
  user = await app.signUp();
  const made = await app.call(
    projectRoutes.create,
    { body: { name: 'History', git_url: `${gitServer.url}/${repo.name}` } },
    user,
  );
  projectId = made.body.id;
}, 60_000);

afterAll(async () => {
  await app?.close();
  await gitServer?.close();
  await repo?.remove();
});

async function search(query: Parameters<typeof searchHistory>[0]) {
  const reply = await searchHistory(query);
  expect(reply.status).toBe(200);
  return reply.body;
}

function searchHistory(query: { q: string; match?: 'words' | 'exact'; side?: 'any' | 'added' | 'removed' }) {
  return app.call(searchRoutes.history, { query: { project_id: projectId, ...query } }, user);
}

async function waitForHistory(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { indexed: read } = await search({ q: 'retry' });
      expect(read).toEqual({ commits: 5, total: 5, omitted: 0 });
    },
    { timeout: 60_000, interval: 200 },
  );
}

test('a text is traced from the commit that added it to the one that removed it', async () => {
  await waitForHistory();
  const line = '  return retryThrice(() => fetch(url));';
  const found = await search({ q: line, match: 'exact' });
  expect(found.changes.map(({ hash }) => hash)).toEqual([commits.drop, commits.add]);
  expect(found.first_added).toMatchObject({
    hash: commits.add,
    old_path: null,
    new_path: 'net.js',
    message: 'Try again when the line is bad',
  });
  expect(found.last_removed).toMatchObject({
    hash: commits.drop,
    new_path: 'lib/net.js',
    author: 'Ada Lovelace',
  });
  expect(found.last_removed!.hunk!.lines).toContainEqual({ kind: 'delete', text: line });
  expect(found.partial).toBe(false);
  const added = await search({ q: 'retryThrice', match: 'exact', side: 'added' });
  expect(added.changes.map(({ hash }) => hash)).toEqual([commits.add]);
  expect(added.last_removed).toBeNull();
});

test('words in another order are not an exact match', async () => {
  await waitForHistory();
  expect((await search({ q: 'fetch(retryThrice(() => url))', match: 'exact' })).changes).toEqual([]);
  expect((await search({ q: '=> (', match: 'exact' })).changes).toEqual([]);
});

test('a query finds the commit that removed its subject, with its lines', async () => {
  await waitForHistory();
  const { changes } = await search({ q: 'Which change removed the retryThrice?' });
  expect(changes[0]).toMatchObject({ hash: commits.drop, hunk: { old_start: 1, new_start: 1 } });
  expect(changes[0]!.hunk!.lines.map(({ kind }) => kind)).toEqual(['context', 'delete', 'add', 'context']);
  const first = (await search({ q: 'send mail', side: 'added' })).changes[0]!;
  expect(first.hash).toBe(commits.mail);
});

test('a non-member gets not found', async () => {
  const eve = await app.signUp();
  const query = { project_id: projectId, q: 'retry' };
  expect((await app.call(searchRoutes.history, { query }, eve)).status).toBe(404);
});

test('a refresh indexes new changes, and a damaged block is rebuilt', async () => {
  await waitForHistory();
  const later = await repo.commit({ files: { 'later.js': 'export const quokka = 1;\n' } });
  await app.call(projectRoutes.refresh, { params: { id: projectId } }, user);
  const findsCommit = async () => {
    const reply = await searchHistory({ q: 'quokka', match: 'exact' });
    expect(reply.body.changes?.map(({ hash }) => hash)).toEqual([later]);
  };
  await vi.waitFor(findsCommit, { timeout: 60_000, interval: 200 });

  const folder = hunksFolder(app.deps.config.dataDir, projectId);
  for (const name of readdirSync(folder).filter((name) => name !== 'MANIFEST')) {
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, name), bytes.subarray(0, bytes.length - 9));
  }
  await app.deps.jobs.send('change-index', { project_id: projectId });
  await vi.waitFor(findsCommit, { timeout: 60_000, interval: 200 });
  expect((await search({ q: 'retryThrice', match: 'exact' })).changes).toHaveLength(2);
});
