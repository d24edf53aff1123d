import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { apiRoutes } from '#contract/api.ts';
import { projectRoutes } from '#contract/projects.ts';
import type { Route } from '#contract/route.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type DiskSpace, storageFull } from '../project-data/disk-space.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let app: TestApp;
let server: GitServer;
let repository: TestRepository;
let ada: TestUser;

/** A disk that is as full as a test says. */
let full = new AbortController();
let waiting = false;
const disk: DiskSpace = {
  get isFull() {
    return full.signal.aborted;
  },
  get roomSignal() {
    return full.signal;
  },
  reportFull: () => full.abort(storageFull()),
  async waitForRoom(signal) {
    waiting = full.signal.aborted;
    while (full.signal.aborted) await sleep(20, undefined, { signal });
  },
  close: async () => {},
};

afterEach(() => {
  full = new AbortController();
});
beforeAll(async () => {
  repository = await buildRepository(async (building) => {
    await building.commit({ files: { 'a.ts': 'export const a = 1;\n' } });
  });
  server = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 600, maxFileBytes: 2 ** 20 };
  app = await testApp({
    disk,
    work: true,
    config: { git: { ...git, allowedPrivateHosts: [server.host] } },
  });
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.close();
  await Promise.all([server.close(), repository.remove()]);
});

const ACCEPTED_WHEN_FULL = /^(?:GET|DELETE|HEAD) |^POST \/auth\/|\/(?:admin|payments|notifications)\//;
const STORES_NOTHING = [
  'POST /invitations/preview',
  'POST /ide/projects/:id/debug/ide',
  'POST /projects/:id/credential/test',
  'POST /errors/delete',
  'POST /proofs/:id/cancel',
  'POST /ide/projects/:id/checks',
  'POST /projects/:id/change-check',
];
const GROWS = ['POST /auth/register', 'POST /auth/me/export', 'DELETE /ide/projects/:id/files/*'];

test('while the disk is full exactly the calls that store something are refused, before their body is read', async () => {
  full.abort(storageFull());
  const routes: Route[] = Object.values(apiRoutes).flatMap((feature) => Object.values(feature));
  const wrong: string[] = [];
  for (const { method, path } of routes) {
    const name = `${method} ${path}`;
    const isAccepted =
      (ACCEPTED_WHEN_FULL.test(name) || STORES_NOTHING.includes(name)) && !GROWS.includes(name);
    const url = `/api${path.replace(/:\w+|\*/g, '00000000-0000-4000-8000-000000000000')}`;
    // These would end the sign-in, or look for their project, hook or intake before anything else.
    if (
      /^(?:POST \/auth\/logout|DELETE \/auth\/|POST \/hooks\/|POST \/:number\/|POST .*\/source-maps$)/.test(
        name,
      )
    )
      continue;
    const reply = await app.inject({ method, url }, ada);
    if ((reply.statusCode === 507) === isAccepted) wrong.push(`${name}: ${reply.statusCode}`);
  }
  expect(wrong).toEqual([]);
  expect((await app.signIn(ada)).accessToken).toBeTruthy();
  const refused = await app.inject({ method: 'POST', url: '/api/projects', payload: {} }, ada);
  expect(refused.headers['retry-after']).toBe('30');
  expect(refused.json()).toMatchObject({
    error: { code: 'storage_full' },
    detail: 'The server has no disk space left. Changes are accepted again as soon as there is room.',
  });
  // Who calls is settled first.
  expect((await app.inject({ method: 'POST', url: '/api/projects', payload: {} })).statusCode).toBe(401);
});

test('indexing pauses while the disk is full and continues when space is available', async () => {
  const input = { body: { name: 'one', git_url: `${server.url}/${repository.name}` } };
  const { body } = await app.call(projectRoutes.create, input, ada);
  const read = async () => (await app.call(projectRoutes.get, { params: { id: body.id } }, ada)).body;
  await expect.poll(async () => (await read()).status).toBe('ready');
  await repository.commit({ files: { 'b.ts': 'export const b = 2;\n' } });
  // As when the disk fills between the call and the job.
  const refreshed = app.deps.jobs.send('ingest', { project_id: body.id });
  full.abort(storageFull());
  await refreshed;
  await expect.poll(() => waiting).toBe(true);
  const before = await read();
  expect(before).toMatchObject({ status: 'ready', failure: null });
  full = new AbortController();
  await expect.poll(async () => (await read()).indexed_commit).not.toBe(before.indexed_commit);
});
