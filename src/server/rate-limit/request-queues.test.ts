import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { projectRoutes } from '#contract/projects.ts';
import {
  buildRepository,
  type GitServer,
  serveRepositories,
  type TestFiles,
  type TestRepository,
} from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 10_000, timeoutS: 60, maxFileBytes: 2 ** 20 };
/** Each takes a thread some tenths of a second to index. */
const REVISIONS = 40;
const FILES = 120;
const AT_ONCE = 100;
/** Generous bound for a search on an idle server: the work of the callers who have gone takes minutes. */
const QUIET_MS = 20_000;
const WAIT = { timeout: 30_000, interval: 2 };
/** A second on an idle machine; their work would take minutes. */
const ENDED = { timeout: 30_000, interval: 50 };
const SLOW_REGEX = '(.*)(.*)(.*)(.*)\\1\\2\\3\\4x';

let repo: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let loud: TestUser;
let quiet: TestUser;
let large: string;
let small: string;
let port: number;

beforeAll(async () => {
  repo = await buildRepository(async (repo) => {
    for (let revision = 0; revision < REVISIONS; revision++) {
      await repo.commit({ files: filesOf(revision), message: `Change all ${revision}` });
    }
    await repo.branch('small');
  });
  gitServer = await serveRepositories(repo.folder);
  const config = { git: { ...GIT, allowedPrivateHosts: [gitServer.host] } };
  app = await testApp({ work: true, config });
  [loud, quiet] = [await app.signUp('loud'), await app.signUp('quiet')];
  [large, small] = [await connectProject(loud, 'Large'), await connectProject(quiet, 'Small')];
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.app.server.address() as { port: number }).port;
}, 180_000);

afterAll(async () => {
  await app?.close();
  await gitServer?.close();
  await repo?.remove();
});

afterEach(async () => {
  await expect.poll(() => [app.deps.pool.pending, queued()], ENDED).toEqual([0, 0]);
});

function filesOf(revision: number): TestFiles {
  const files: TestFiles = { 'long.txt': `${'a'.repeat(200)}\n`.repeat(2_000) };
  for (let file = 0; file < FILES; file++) {
    const lines = Array.from({ length: 60 }, (_, line) => `export const v${line} = f(${revision}, ${file});`);
    files[`src/m${file}.js`] = lines.join('\n');
  }
  return files;
}

async function connectProject(user: TestUser, name: string): Promise<string> {
  const body = { name, git_url: `${gitServer.url}/${repo.name}` };
  const { id } = (await app.call(projectRoutes.create, { body }, user)).body;
  await vi.waitFor(
    async () => {
      const { body } = await app.call(projectRoutes.get, { params: { id } }, user);
      expect(body).toMatchObject({ status: 'ready', activity: null });
    },
    { timeout: 120_000, interval: 200 },
  );
  return id;
}

/** Tasks of all queues outside the pool. */
function queued(): number {
  return Object.values(app.deps.queues).reduce((sum, { running, waiting }) => sum + running + waiting, 0);
}

/** Processes that work on the repository of a project, as Linux tells. */
async function countGit(projectId: string): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
  const processes = await Promise.all(
    pids.map(async (pid) => ({ env: await read(pid, 'environ'), argv: await read(pid, 'cmdline') })),
  );
  // Readers of objects wait some seconds for the next request.
  return processes.filter(
    ({ env, argv }) => env.includes(`projects/${projectId}/repo.git`) && !argv.includes('--batch-command'),
  ).length;
}

interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  accept?: string;
}

/** Sends a request over a connection of its own; `hangUp` closes it without waiting for the reply. */
function send({ method, path, body, accept = 'application/json' }: Request): { hangUp(): void } {
  const text = body === undefined ? '' : JSON.stringify(body);
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${loud.accessToken}`,
    `accept: ${accept}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  return { hangUp: () => socket.destroy() };
}

/** Lets both threads start, which takes seconds on a busy machine. */
async function warmUp(): Promise<void> {
  const call = send({ method: 'GET', path: search({ q: 'export f', limit: '1' }) });
  await timeQuietSearch();
  call.hangUp();
}

/** Milliseconds that the other user's search takes. */
async function timeQuietSearch(): Promise<number> {
  const began = performance.now();
  const query = new URLSearchParams({ project_id: small, q: 'export f' });
  const reply = await fetch(`http://127.0.0.1:${port}/api/search?${query}`, {
    headers: { authorization: `Bearer ${quiet.accessToken}` },
  });
  expect(reply.status).toBe(200);
  await reply.arrayBuffer();
  return performance.now() - began;
}

const search = (query: Record<string, string>) =>
  `/api/search?${new URLSearchParams({ project_id: large, ...query })}`;
const error_message = 'TypeError: f is not a function\n    at v1 (src/m1.js:2:18)';

const STARTS: Record<string, (index: number) => Promise<Request> | Request> = {
  'searches at other revisions': async (index) => {
    const revision = await repo.head(`main~${1 + (index % (REVISIONS - 1))}`);
    return { method: 'GET', path: search({ q: 'export f', revision }) };
  },
  'searches of the changes': (index) => ({
    method: 'GET',
    path: `/api/search/history?${new URLSearchParams({ project_id: large, q: `f(${index}`, match: 'exact' })}`,
  }),
  'regular expressions': () => ({
    method: 'GET',
    path: `/api/search/lines?${new URLSearchParams({ project_id: large, q: SLOW_REGEX, match: 'regex' })}`,
  }),
  'errors to debug': () => ({
    method: 'POST',
    path: '/api/debug',
    body: { project_id: large, error_message },
  }),
  'errors to debug, told as events': () => ({
    method: 'POST',
    path: '/api/debug',
    body: { project_id: large, error_message },
    accept: 'text/event-stream',
  }),
  'questions of a chat': () => ({
    method: 'POST',
    path: `/api/chat/projects/${large}/messages`,
    body: { message: 'Why was `v1` changed in src/m1.js?' },
  }),
  'files to analyze': () => ({
    method: 'POST',
    path: `/api/ide/projects/${large}/debug/ide`,
    body: { file_path: 'src/m1.js', code: 'export const a = ;', error_message },
  }),
  'files with blame': (index) => ({
    method: 'GET',
    path: `/api/projects/${large}/files/src/m${index % FILES}.js`,
  }),
  'trees of files': () => ({ method: 'GET', path: `/api/ide/projects/${large}/files` }),
  'diffs of commits': async (index) => ({
    method: 'GET',
    path: `/api/projects/${large}/commits/${await repo.head(`main~${index % REVISIONS}`)}`,
  }),
  'calls of an MCP tool': (index) => ({
    method: 'POST',
    path: '/mcp',
    body: {
      jsonrpc: '2.0',
      id: index,
      method: 'tools/call',
      params: { name: 'investigate_error', arguments: { project: 'Large', error: error_message } },
    },
    accept: 'application/json, text/event-stream',
  }),
};

test.each(Object.keys(STARTS))('%s end with their callers', async (kind) => {
  const requests: Request[] = [];
  for (let index = 0; index < AT_ONCE; index++) requests.push(await STARTS[kind]!(index));
  await warmUp();
  const calls = requests.map(send);
  try {
    await vi.waitFor(() => expect(app.deps.pool.pending + queued()).toBeGreaterThan(0), WAIT);
    // While everybody is still there, others have their turn.
    expect(await timeQuietSearch()).toBeLessThan(QUIET_MS);
  } finally {
    for (const call of calls) call.hangUp();
  }
  await vi.waitFor(
    async () => expect([app.deps.pool.pending, queued(), await countGit(large)]).toEqual([0, 0, 0]),
    ENDED,
  );
  expect(await timeQuietSearch()).toBeLessThan(QUIET_MS);
});

test('one regular expression search runs for each user', async () => {
  const path = `/api/search/lines?${new URLSearchParams({ project_id: large, q: SLOW_REGEX, match: 'regex' })}`;
  const calls = Array.from({ length: 60 }, () => send({ method: 'GET', path }));
  await vi.waitFor(() => expect(app.deps.queues.grep.waiting).toBe(8), WAIT);
  expect(app.deps.queues.grep.running).toBe(1);
  for (const call of calls) call.hangUp();
  await vi.waitFor(() => expect(queued()).toBe(0), ENDED);
});

test('deleting a project cancels its work', { timeout: 120_000 }, async () => {
  const doomed = await connectProject(loud, 'Doomed');
  const path = `/api/search/lines?${new URLSearchParams({ project_id: doomed, q: SLOW_REGEX, match: 'regex' })}`;
  const revision = await repo.head('main~9');
  const calls = [
    send({ method: 'GET', path }),
    ...Array.from({ length: 5 }, () =>
      send({
        method: 'GET',
        path: `/api/search?${new URLSearchParams({ project_id: doomed, q: 'f', revision })}`,
      }),
    ),
  ];
  await vi.waitFor(() => expect(app.deps.queues.grep.running).toBe(1), WAIT);
  const reply = await app.call(projectRoutes.remove, { params: { id: doomed } }, loud);
  expect(reply.status).toBe(200);
  await vi.waitFor(async () => {
    expect([app.deps.pool.pending, queued(), await countGit(doomed)]).toEqual([0, 0, 0]);
  }, ENDED);
  for (const call of calls) call.hangUp();
});
