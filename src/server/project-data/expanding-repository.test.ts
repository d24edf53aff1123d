import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes } from '#contract/api.ts';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { ideRoutes, TRUNCATED_HEADER } from '#contract/ide.ts';
import { projectRoutes } from '#contract/projects.ts';
import { MAX_REPLY_BYTES, type Route } from '#contract/route.ts';
import { searchRoutes } from '#contract/search.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { writeExpanding } from '#git/testing-expanding.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const MEBIBYTE = 2 ** 20;

let repository: TestRepository;
let server: GitServer;
let app: TestApp;
let ada: TestUser;
let id: string;
/** Commits by what is odd about them. */
const oids: Record<string, string> = {};

/** Some hundred kilobytes of objects; what they stand for are gigabytes. */
async function build(repo: TestRepository): Promise<void> {
  const write = writeExpanding(repo.path);
  const lines = (count: number, text: string) => `${text}\n`.repeat(count);
  const small = await write.blob('export const answer = 42;\n');
  const odd = async (name: string, files: [string, string][], more = {}, parents = [oids.last!]) => {
    const entries = await Promise.all(
      files.map(async ([path, content]) => ['100644', await write.blob(content), path] as const),
    );
    const tree = await write.tree([...entries, ['100644', small, 'answer.ts'] as const].toSorted(byName));
    oids[name] = await write.commit({ tree, parents, ...more });
    oids.last = oids[name];
  };
  await odd('first', [], { message: 'Begin\n' }, []);
  await odd('message', [], { message: `Fix the answer\n\n${'because '.repeat(600_000)}\n` });
  await odd('controls', [], { message: '\u0001'.repeat(100_000), author: '\u0002'.repeat(50_000) });
  await odd('lines', [['lines.txt', lines(1_000_000, 'a')]]);
  await odd('long line', [['line.txt', 'x'.repeat(50_000_000)]]);
  await odd('hunks', [['hunks.txt', lines(100_000, 'a\nb')]]);
  await odd('hunks changed', [['hunks.txt', lines(100_000, 'a\nc')]]);
  await odd('one line', [['one-line.js', `var a="${'\u0001'.repeat(900_000)}"`]]);
  const names = await write.wideTree({ folders: 20, files: 1000, depth: 4 });
  oids.wide = await write.commit({ tree: names, parents: [oids.last!], message: 'Rename everything\n' });
  oids.last = oids.wide;
  for (let number = 0; number < 10; number++) {
    const tree = await write.wideTree({ folders: 1, files: 5000, depth: 4, seed: `${number}-` });
    oids.last = await write.commit({ tree, parents: [oids.last], message: `Name ${number}\n` });
  }
  const files = await write.wideTree({ folders: 40, files: 1000, depth: 0 });
  const head = await write.tree([
    ['100644', small, 'answer.ts'],
    ['100644', await write.blob(`var a="${'\u0001'.repeat(900_000)}"`), 'one-line.js'],
    ['040000', files, 'wide'],
  ]);
  oids.head = await write.commit({ tree: head, parents: [oids.last], message: 'Fix the answer again\n' });
  await write.branch('main', oids.head);
  const side = await write.wideTree({ folders: 100, files: 1000, depth: 15 });
  oids.side = await write.commit({ tree: side, parents: [oids.head], message: 'On the side\n' });
  await write.branch('side', oids.side);
}

const byName = ([, , a]: readonly [string, string, string], [, , b]: readonly [string, string, string]) =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

beforeAll(async () => {
  repository = await buildRepository(build);
  server = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 200, maxEntries: 500_000, timeoutS: 120, maxFileBytes: MEBIBYTE };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [server.host] } } });
  ada = await app.signUp('ada');
  const body = { name: 'Expanding', git_url: `${server.url}/${repository.name}` };
  id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  for (let tries = 0; tries < 600; tries++) {
    const { body: project } = await app.call(projectRoutes.get, { params: { id } }, ada);
    if (project.status === 'failed') throw new Error(JSON.stringify(project.failure));
    if (project.status === 'ready' && project.activity === null) return;
    await sleep(200);
  }
  throw new Error('The project never got ready.');
}, 180_000);

afterAll(async () => {
  await app?.close();
  await server?.close();
  await repository?.remove();
});

/** Asks and holds the reply against its bound. */
async function ask(route: Route, url: string): Promise<{ status: number; bytes: number; json(): unknown }> {
  const reply = await app.inject({ method: route.method, url: `/api${url}` }, ada);
  const bytes = reply.rawPayload.length;
  expect(reply.statusCode, `${url}: ${reply.body.slice(0, 300)}`).toBeLessThan(500);
  expect(bytes, url).toBeLessThanOrEqual(route.maxReplyBytes ?? MAX_REPLY_BYTES);
  return { status: reply.statusCode, bytes, json: () => reply.json() };
}

test('the index is small and lists what it omits', async () => {
  const { body: project } = await app.call(projectRoutes.get, { params: { id } }, ada);
  const { files, indexed, skipped, commits, commits_omitted = 0 } = project.coverage!;
  expect(indexed + skipped).toBe(files);
  expect(files).toBe(40_002);
  expect(commits + commits_omitted).toBe(20);
  const folder = join(app.deps.config.dataDir, 'projects', id, 'shard');
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(folder, name)).size,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400 * MEBIBYTE);
});

test('pages of commits take less than a megabyte', async () => {
  for (const limit of [1, 4, 50, 200]) {
    const reply = await ask(projectRoutes.commits, `/projects/${id}/commits?limit=${limit}`);
    expect(reply.status).toBe(200);
    expect(reply.bytes).toBeLessThan(MEBIBYTE);
  }
});

test('every commit takes less than a megabyte, with a count of all its files', async () => {
  for (const [name, oid] of Object.entries(oids)) {
    const reply = await ask(projectRoutes.commit, `/projects/${id}/commits/${oid}`);
    if (reply.status !== 200) continue;
    expect(reply.bytes, name).toBeLessThan(MEBIBYTE + MEBIBYTE / 8);
    const commit = reply.json() as { files_changed: string[]; files_changed_count: number };
    expect(commit.files_changed.length, name).toBeLessThanOrEqual(300);
    expect(commit.files_changed_count, name).toBeGreaterThanOrEqual(commit.files_changed.length);
  }
  const wide = (await ask(projectRoutes.commit, `/projects/${id}/commits/${oids.wide}`)).json();
  expect((wide as { files_changed_count: number }).files_changed_count).toBeGreaterThanOrEqual(20_000);
}, 90_000);

test('a branch of many long paths is refused quickly with an error', async () => {
  const started = performance.now();
  const query = `q=answer&project_id=${id}&revision=side`;
  for (const [route, url] of [
    [searchRoutes.search, `/search?${query}`],
    [projectRoutes.commit, `/projects/${id}/commits/${oids.side}`],
  ] as const) {
    const reply = await ask(route, url);
    expect(reply.status).toBe(413);
    expect(reply.json()).toMatchObject({
      error: { message: expect.stringContaining('too many and too long') },
    });
  }
  expect((await ask(ideRoutes.files, `/ide/projects/${id}/files?ref=side`)).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(30_000);
}, 60_000);

test('a tree beyond the limits is listed folder by folder', async () => {
  const whole = await app.inject({ url: `/api/ide/projects/${id}/files` }, ada);
  expect(whole.headers[TRUNCATED_HEADER]).toBe('true');
  expect(whole.json()).toMatchObject({ 'answer.ts': { type: 'file' }, wide: { type: 'directory' } });
  expect(whole.json().wide.children).toBeUndefined();
  const folder = await app.inject({ url: `/api/ide/projects/${id}/files?path=wide/000007` }, ada);
  expect(folder.headers[TRUNCATED_HEADER]).toBeUndefined();
  expect(Object.keys(folder.json())).toHaveLength(1000);
  const many = await Promise.all(
    Array.from({ length: 12 }, () => app.inject({ url: `/api/ide/projects/${id}/files` }, ada)),
  );
  expect(many.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200));
});

describe('every other read', () => {
  const files = ['answer.ts', 'one-line.js', 'lines.txt', 'line.txt', 'hunks.txt'];
  const versions = ['main', 'side', 'lines', 'long line', 'hunks changed', 'one line', 'wide'];

  test.each(files)('of %s at any version is within its limit', async (path) => {
    for (const version of versions) {
      const ref = oids[version] ?? version;
      await ask(projectRoutes.file, `/projects/${id}/files/${path}?ref=${ref}`);
      await ask(ideRoutes.file, `/ide/projects/${id}/files/${path}?ref=${ref}`);
    }
  });

  test.each(
    Object.values(apiRoutes)
      .flatMap((feature) => Object.values<Route>(feature))
      .filter(isPlainRead),
  )('$path is within its bound', async (route) => {
    const query = `project_id=${id}&q=answer&limit=200&match=${route.path === '/search/lines' ? 'regex' : 'words'}`;
    const path = route.path.replace(':id', id).replace(':sha', oids.head!);
    await ask(
      route,
      `${path}?${query.replace('limit=200', `limit=${route.path.startsWith('/search') ? 50 : 200}`)}`,
    );
  });

  test('of lines: characters that JSON makes long, and a line of 50 MB', async () => {
    for (const q of ['x', 'a', 'answer', '.']) {
      const query = `project_id=${id}&q=${q}&match=regex&limit=500`;
      const reply = await ask(apiRoutes.lines.find, `/search/lines?${query}`);
      expect(reply.status).toBe(200);
    }
  });
});

/** Reads that need no more than a project. Visitors' redirects and downloads go elsewhere. */
function isPlainRead({ method, path, kind, access }: Route): boolean {
  return method === 'GET' && kind === 'json' && access !== 'visitor' && !/:(?!id|sha)|\*/.test(path);
}

test('the answer to an error, its session and a chat are within the limit', async () => {
  const error_message = 'TypeError: the answer is not a function\n    at answer (answer.ts:1:1)';
  const debug = await app.call(debugRoutes.debug, { body: { project_id: id, error_message } }, ada);
  expect(debug.status).toBe(200);
  expect(debug.raw.rawPayload.length).toBeLessThan(MEBIBYTE);
  await ask(debugRoutes.session, `/debug/sessions/${debug.body.id}`);
  for (const message of ['Why was the answer changed?', 'What changed most?', 'Who knows answer.ts?']) {
    const body = { message, use_chat_history: true, use_code_context: true };
    const sent = await app.call(chatRoutes.send, { params: { id }, body }, ada);
    expect(sent.status).toBe(200);
    expect(sent.raw.rawPayload.length).toBeLessThan(MEBIBYTE);
  }
}, 60_000);

test('the indexes of a deleted project are freed', async () => {
  expect(app.deps.indexCache.cachedBytes).toBeGreaterThan(0);
  await app.call(projectRoutes.remove, { params: { id } }, ada);
  expect(app.deps.indexCache.cachedBytes).toBe(0);
});
