import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { credentialRoutes } from '#contract/credentials.ts';
import { memberRoutes } from '#contract/members.ts';
import { notificationRoutes } from '#contract/notifications.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { makeCertificate } from '#git/testing-remotes.ts';
import { isSameRemote } from '../project-data/credentials.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

/** A credential is valid for its URL while the user who provided it owns the project. */

const SECRET = 'ghp_SentinelOfTheToken0815';

let repository: TestRepository;
let gitServer: GitServer;
let certificate: ReturnType<typeof makeCertificate>;
let app: TestApp;
let ada: TestUser;
let bea: TestUser;
let project: Project;
/** Paths requested with the secret. */
const opened: string[] = [];

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'a.ts': 'export const one = 1;\n' } });
  });
  certificate = makeCertificate();
  gitServer = await serveRepositories(repository.folder, {
    tls: certificate,
    answer: (request, reply) => {
      const [, shown = ''] = (request.headers.authorization ?? '').split(' ');
      if (Buffer.from(shown, 'base64').toString().endsWith(`:${SECRET}`)) {
        opened.push(request.url ?? '');
        return false;
      }
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return true;
    },
  });
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({
    work: true,
    config: { git: { ...git, allowedPrivateHosts: [gitServer.host], caFile: certificate.file } },
  });
  [ada, bea] = [await app.signUp('ada'), await app.signUp('bea')];
});
afterAll(async () => {
  await app.close();
  await gitServer.close();
  await certificate.remove();
  await repository.remove();
});

beforeEach(async () => {
  const body = { name: 'Private', git_url: address(), credential: { kind: 'token' as const, token: SECRET } };
  project = (await app.call(projectRoutes.create, { body }, ada)).body;
  await app.deps.db
    .insertInto('project_members')
    .values({ project_id: project.id, user_id: bea.id, role: 'editor' })
    .execute();
  expect(await waitUntilSettled(ada)).toMatchObject({ status: 'ready', failure: null });
  opened.length = 0;
});

const address = () => `${gitServer.url}/${repository.name}`;
const params = () => ({ id: project.id });

async function waitUntilSettled(user: TestUser): Promise<Project> {
  for (let round = 0; round < 1_800; round++) {
    const { body } = await app.call(projectRoutes.get, { params: params() }, user);
    if (body.activity === null) return body;
    await sleep(50);
  }
  throw new Error('the project did not settle');
}

async function refreshed(user: TestUser): Promise<Project> {
  await app.call(projectRoutes.refresh, { params: params() }, user);
  return await waitUntilSettled(user);
}

const transferOwnership = async (from: TestUser, to: TestUser) =>
  await app.call(
    memberRoutes.transfer,
    { params: params(), body: { user_id: to.id, current_password: from.password } },
    from,
  );
const stored = async (user: TestUser) =>
  (await app.call(credentialRoutes.get, { params: params() }, user)).body.credential;
const testConnection = async (user: TestUser) =>
  await app.call(credentialRoutes.test, { params: params() }, user);
const move = async (user: TestUser, git_url: string, credential?: { kind: 'token'; token: string }) =>
  await app.call(projectRoutes.update, { params: params(), body: { git_url, credential } }, user);

test.each([
  ['another repository beside it', () => `${gitServer.url}/private.git`],
  ['the same name in a folder', () => `${gitServer.url}/x/${repository.name}`],
  [
    'another case',
    () =>
      address()
        .toUpperCase()
        .replace(/^HTTPS/, 'https'),
  ],
  ['an encoded letter', () => address().replace('project', '%70roject')],
])('the credential is not used for %s on the same host', async (_, url) => {
  const { status, error } = await move(ada, url());
  expect(status).toBe(400);
  expect(error?.reason).toBe('credential_other_url');
  expect(opened).toEqual([]);
  expect(await stored(ada)).toMatchObject({ state: 'usable', url: address() });
});

test('a trailing slash or .git names the same repository', async () => {
  expect((await move(ada, `${address()}/`)).status).toBe(200);
  expect(await waitUntilSettled(ada)).toMatchObject({ failure: null });
  expect(await stored(ada)).toMatchObject({ state: 'usable' });
  expect(opened.length).toBeGreaterThan(0);
  expect(isSameRemote('https://host/a/b', 'https://host/a/b.git')).toBe(true);
  for (const other of [
    'https://host/a/b.git.git',
    'https://host/a',
    'https://host:8443/a/b',
    'http://host/a/b',
  ]) {
    expect(isSameRemote('https://host/a/b', other), other).toBe(false);
  }
});

test('a credential is not used for any other URL of the project', async () => {
  const git_url = `${gitServer.url}/other.git`;
  await app.deps.db.updateTable('projects').set({ git_url }).where('id', '=', project.id).execute();
  expect((await refreshed(ada)).failure?.code).toBe('errors.credential_other_url');
  expect((await testConnection(ada)).error?.reason).toBe('credential_other_url');
  expect(await stored(ada)).toMatchObject({ state: 'other_url' });
  expect(opened).toEqual([]);
});

test('a new owner cannot use the former owner’s credential, and both are notified', async () => {
  expect((await transferOwnership(ada, bea)).status).toBe(200);
  expect(await stored(bea)).toMatchObject({ state: 'other_owner' });
  const failed = await refreshed(bea);
  expect(failed).toMatchObject({
    status: 'ready',
    failure: {
      code: 'errors.credential_other_owner',
      text: expect.stringMatching(/under Settings/),
    },
  });
  expect((await testConnection(bea)).error?.reason).toBe('credential_other_owner');
  expect((await move(bea, `${gitServer.url}/private.git`)).error?.reason).toBe('credential_other_url');
  expect(opened).toEqual([]);
  const rows = await app.deps.db
    .selectFrom('credentials')
    .selectAll()
    .where('project_id', '=', project.id)
    .execute();
  expect(rows).toMatchObject([{ sealed: '', created_by: null }]);
  for (const user of [ada, bea]) {
    const { body } = await app.call(notificationRoutes.list, { query: {} }, user);
    const titles = body.map(({ sentence }) => sentence.title.code);
    expect(titles).toContain('notifications.event.credential_revoked.title');
  }
  const credential = { kind: 'token' as const, token: SECRET };
  await app.call(credentialRoutes.save, { params: params(), body: credential }, bea);
  expect(await stored(bea)).toMatchObject({ state: 'usable' });
  expect(await refreshed(bea)).toMatchObject({ failure: null });
  // A returning owner does not regain the old credential.
  await transferOwnership(bea, ada);
  expect(await stored(ada)).toMatchObject({ state: 'other_owner' });
});

test.each([
  ['deactivated', { is_active: false }],
  ['leaving', { deletion_at: new Date() }],
])('the credential of an owner whose account is %s is not used', async (_, change) => {
  const restore = { is_active: true, deletion_at: null };
  await app.deps.db.updateTable('users').set(change).where('id', '=', ada.id).execute();
  expect((await refreshed(bea)).failure?.code).toBe('errors.credential_inactive_owner');
  expect(opened).toEqual([]);
  await app.deps.db.updateTable('users').set(restore).where('id', '=', ada.id).execute();
  expect(await refreshed(bea)).toMatchObject({ failure: null });
});
