import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditRoutes } from '#contract/audit.ts';
import { credentialRoutes } from '#contract/credentials.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { makeCertificate, SSHD, type SshServer, serveSsh } from '#git/testing-remotes.ts';
import { makeSshKey } from '#secrets/ssh-key.ts';
import { createLog } from '../log.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const SECRET = 'ghp_SentinelOfTheToken0815';
const OTHER = 'ghp_SentinelThatIsWrong0815';
const brought = makeSshKey('brought');

let repository: TestRepository;
let certificate: ReturnType<typeof makeCertificate>;
let gitServer: GitServer;
let ssh: SshServer | undefined;
let app: TestApp;
let ada: TestUser;
const log: string[] = [];
const replies: string[] = [];

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'a.ts': 'export const one = 1;\n' } });
  });
  certificate = makeCertificate();
  gitServer = await serveRepositories(repository.folder, {
    tls: certificate,
    answer: (request, reply) => {
      const [, shown = ''] = (request.headers.authorization ?? '').split(' ');
      if (Buffer.from(shown, 'base64').toString().endsWith(`:${SECRET}`)) return false;
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return true;
    },
  });
  if (SSHD) ssh = await serveSsh(brought.publicKey);
  const hosts = [gitServer.host, ...(ssh ? [ssh.host] : [])];
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({
    work: true,
    log: createLog({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
    config: { git: { ...git, allowedPrivateHosts: hosts, caFile: certificate.file } },
  });
  const { call } = app;
  app.call = async (...args) => {
    const reply = await call(...args);
    replies.push(reply.raw.body);
    return reply;
  };
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.close();
  await gitServer.close();
  await ssh?.close();
  await certificate.remove();
  await repository.remove();
});

const address = () => `${gitServer.url}/${repository.name}`;

type Credential = { kind: 'token'; username?: string; token: string } | { kind: 'ssh'; private_key?: string };

const create = async (git_url: string, credential?: Credential) =>
  await app.call(projectRoutes.create, { body: { name: 'Private', git_url, credential } }, ada);

async function settled(id: string): Promise<Project> {
  for (let round = 0; round < 600; round++) {
    const { body } = await app.call(projectRoutes.get, { params: { id } }, ada);
    if (body.activity === null) return body;
    await sleep(50);
  }
  throw new Error('the project did not settle');
}

const credentialOf = async (id: string) =>
  (await app.call(credentialRoutes.get, { params: { id } }, ada)).body.credential;
const save = async (id: string, body: Credential) =>
  await app.call(credentialRoutes.save, { params: { id }, body }, ada);
const tryOut = async (id: string) => await app.call(credentialRoutes.test, { params: { id } }, ada);

test('a private repository fails without a token and is read once there is one', async () => {
  const { body } = await create(address());
  expect((await settled(body.id)).failure?.code).toBe('projects.ingest.not_found_or_private');
  expect((await save(body.id, { kind: 'token', token: OTHER })).status).toBe(200);
  expect(await tryOut(body.id)).toMatchObject({ status: 400, error: { reason: 'credential_refused' } });
  await save(body.id, { kind: 'token', username: 'robot', token: SECRET });
  expect((await tryOut(body.id)).body).toMatchObject({ branch: 'main', commit: await repository.head() });
  await app.call(projectRoutes.refresh, { params: { id: body.id } }, ada);
  expect(await settled(body.id)).toMatchObject({ status: 'ready', failure: null });
  expect(await credentialOf(body.id)).toMatchObject({ kind: 'token', username: 'robot', public_key: null });
});

test('a token can come with the project', async () => {
  const { body } = await create(address(), { kind: 'token', token: SECRET });
  expect(await settled(body.id)).toMatchObject({ status: 'ready' });
});

test('name and password in the address are kept apart from it', async () => {
  const { body } = await create(address().replace('://', `://robot:${SECRET}@`));
  expect(body.git_url).toBe(address());
  expect(await credentialOf(body.id)).toMatchObject({ kind: 'token', username: 'robot' });
  expect(await settled(body.id)).toMatchObject({ status: 'ready' });
});

test('it is forgotten on wish, and with the project', async () => {
  const [one, two] = [(await create(address())).body.id, (await create(address())).body.id];
  await save(one, { kind: 'token', token: SECRET });
  await save(two, { kind: 'token', token: SECRET });
  await app.call(credentialRoutes.remove, { params: { id: one } }, ada);
  expect(await credentialOf(one)).toBeNull();
  await app.call(projectRoutes.remove, { params: { id: two } }, ada);
  const rows = await app.deps.db.selectFrom('credentials').select('project_id').execute();
  expect(rows.map(({ project_id }) => project_id)).not.toContain(two);
});

test('what was sealed for one project opens no other', async () => {
  const [one, two] = [(await create(address())).body.id, (await create(address())).body.id];
  await save(one, { kind: 'token', token: SECRET });
  await save(two, { kind: 'token', token: OTHER });
  const { sealed } = await app.deps.db
    .selectFrom('credentials')
    .select('sealed')
    .where('project_id', '=', one)
    .executeTakeFirstOrThrow();
  await app.deps.db.updateTable('credentials').set({ sealed }).where('project_id', '=', two).execute();
  expect(await tryOut(two)).toMatchObject({ status: 503, error: { reason: 'cannot_open' } });
});

test.each<[string, Credential, number, string]>([
  ['a key for an https address', { kind: 'ssh' }, 400, 'credential_kind'],
  ['no token', { kind: 'token', token: '  ' }, 422, ''],
  ['a token of two lines', { kind: 'token', token: 'a\nb' }, 422, ''],
  ['a name with a colon', { kind: 'token', username: 'a:b', token: 'x' }, 422, ''],
])('%s is refused in words', async (_name, credential, status, reason) => {
  const reply = await create(address(), credential);
  expect(reply).toMatchObject({ status, error: { message: expect.stringMatching(/\.$/) } });
  expect(reply.error?.reason ?? '').toBe(reason);
});

test('a key that cannot be read is refused in words', async () => {
  const reply = await create('git@example.com:a/b', { kind: 'ssh', private_key: 'words' });
  expect(reply).toMatchObject({ status: 422, error: { fields: { private_key: expect.any(String) } } });
});

describe.skipIf(SSHD === undefined)('by ssh', () => {
  test('a key that was brought opens the repository; its host is pinned and shown', async () => {
    const { body } = await create(`${ssh!.url}${repository.path}`, {
      kind: 'ssh',
      private_key: brought.privateKey,
    });
    expect(await settled(body.id)).toMatchObject({ status: 'ready' });
    const shown = await credentialOf(body.id);
    expect(shown?.public_key?.split(' ')[1]).toBe(brought.publicKey.split(' ')[1]);
    expect(shown?.host_keys).toEqual([expect.stringMatching(/^ssh-ed25519 SHA256:[\w+/]{43}$/)]);
  });

  test('a key that was made waits until the git server knows it', async () => {
    const { body } = await create(`${ssh!.url}${repository.path}`, { kind: 'ssh' });
    expect(body).toMatchObject({
      status: 'failed',
      activity: null,
      failure: { code: 'projects.ingest.key_waits' },
    });
    expect((await credentialOf(body.id))?.public_key).toMatch(/^ssh-ed25519 \S+ hindsight-\d{4}-/);
    expect(await tryOut(body.id)).toMatchObject({ status: 400, error: { reason: 'key_refused' } });
  });
});

test('no secret is in a log, a reply, the database or the data folder', async () => {
  const rows = JSON.stringify([
    await app.deps.db.selectFrom('credentials').selectAll().execute(),
    await app.deps.db.selectFrom('projects').selectAll().execute(),
    await app.deps.db.selectFrom('audit_events').selectAll().execute(),
    await app.deps.db.selectFrom('ingest_runs').selectAll().execute(),
  ]);
  const files = execFileSync('grep', ['-rac', '-e', '', app.deps.config.dataDir], { encoding: 'latin1' });
  expect(files).toMatch(/repo\.git/);
  expect(replies.length).toBeGreaterThan(20);
  expect(log.length).toBeGreaterThan(20);
  const [, keyLine = ''] = brought.privateKey.split('\n');
  for (const secret of [SECRET, OTHER, keyLine]) {
    expect(rows).not.toContain(secret);
    expect(replies.join('\n')).not.toContain(secret);
    expect(log.join('\n')).not.toContain(secret);
    expect(spawnGrep(secret)).toBe('');
  }
});

/** Names of the files in the data folder that hold a text. */
function spawnGrep(text: string): string {
  try {
    return execFileSync('grep', ['-ralF', text, app.deps.config.dataDir], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

test('all of it is in the record', async () => {
  const { body } = await app.call(auditRoutes.mine, { query: { limit: '200' } }, ada);
  const events = body.events.map(({ event }) => event);
  expect(events).toEqual(
    expect.arrayContaining(['project_created', 'project_deleted', 'credential_saved', 'credential_removed']),
  );
});
