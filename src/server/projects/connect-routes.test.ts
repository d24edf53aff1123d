import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRoutes } from '#contract/connect.ts';
import { debugRoutes } from '#contract/debug.ts';
import { projectRoutes } from '#contract/projects.ts';
import { replayRoutes } from '#contract/replay.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

/** Error of the sample at its last commit. */
const TRACE = `TypeError: Cannot read properties of undefined (reading 'cents')
    at surchargeFor (file:///srv/parcel-desk/src/surcharges.js:3:39)
    at quote (file:///srv/parcel-desk/src/quote.js:11:21)`;

let host: Server;
let hostName: string;
let app: TestApp;
let admin: TestUser;
let eve: TestUser;
/** Token that each request carried. */
const tokens: (string | undefined)[] = [];

const github = (name: string, more: object = {}) => ({
  ...{ name, full_name: `acme/${name}`, description: null, private: false, archived: false, fork: false },
  ...{ clone_url: `http://${hostName}/acme/${name}.git`, pushed_at: '2026-05-01T10:00:00Z' },
  ...more,
});

/** Replies by path of the APIs of GitHub, GitLab and Gitea. */
function reply(path: string, token: string | undefined): [number, unknown] {
  if (token?.includes('bad')) return [401, { message: 'Bad credentials' }];
  const secret = token ? [github('vault', { private: true })] : [];
  switch (path) {
    case '/api/v3/user':
      return [200, { login: 'someone' }];
    case '/api/v3/orgs/acme/repos?per_page=50&sort=pushed&page=1':
      return [200, [github('shop'), { odd: true }, ...secret]];
    case '/api/v1/users/acme/repos?limit=50&page=1':
      return [200, Array.from({ length: 50 }, (_, at) => github(`r${at}`))];
    case '/api/v4/groups/acme%2Fweb/projects?include_subgroups=true&per_page=50&page=1&order_by=last_activity_at':
      return [
        200,
        [
          {
            ...{ path: 'site', path_with_namespace: 'acme/web/site', visibility: 'internal' },
            http_url_to_repo: `http://${hostName}/acme/web/site.git`,
          },
        ],
      ];
    case '/api/v3/orgs/busy/repos?per_page=50&sort=pushed&page=1':
      return [403, { message: 'API rate limit exceeded' }];
    default:
      return [404, { message: 'Not Found' }];
  }
}

beforeAll(async () => {
  host = createServer((request, response) => {
    const token = request.headers.authorization ?? (request.headers['private-token'] as string | undefined);
    tokens.push(token);
    const [status, body] = reply(request.url ?? '', token);
    response.writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-remaining': '0' });
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => host.once('listening', resolve));
  hostName = `127.0.0.1:${(host.address() as AddressInfo).port}`;
  app = await testApp({ work: true });
  admin = await app.signUp('ada');
  eve = await app.signUp('eve');
});

afterAll(async () => {
  await app.close();
  host.closeAllConnections();
  host.close();
});

const list = async (kind: 'github' | 'gitlab' | 'gitea', owner: string, token?: string) =>
  await app.call(
    connectRoutes.list,
    { body: { host: kind, owner, base_url: `http://${hostName}`, ...(token && { token }) } },
    eve,
  );

test('a private host is refused until an administrator allows it; metadata addresses stay blocked', async () => {
  expect((await list('github', 'acme')).error).toMatchObject({ reason: 'https_required' });
  const allow = async (name: string, user: TestUser) =>
    (await app.call(connectRoutes.allowHost, { body: { host: name } }, user)).status;
  expect(await allow(hostName, eve)).toBe(404);
  expect(await allow('169.254.169.254', admin)).toBe(422);
  expect(await allow('[fd00:ec2::254]:80', admin)).toBe(422);
  expect(await allow(hostName, admin)).toBe(200);
  expect((await list('github', 'acme')).status).toBe(200);
  expect((await app.call(connectRoutes.hosts, {}, admin)).body).toEqual({ hosts: [hostName] });
});

test('repositories of an organization are listed, with private and connected ones marked', async () => {
  const created = await app.call(
    projectRoutes.create,
    { body: { name: 'shop', git_url: `http://${hostName}/acme/shop` } },
    eve,
  );
  const { body } = await list('github', 'acme', 'secret-token');
  expect(body.repositories).toMatchObject([
    { name: 'shop', private: false, project_id: created.body.id },
    { name: 'vault', private: true, project_id: null },
  ]);
  expect(tokens.at(-1)).toBe('token secret-token');
});

test('Gitea and GitLab speak APIs of their own', async () => {
  expect((await list('gitea', 'acme')).body).toMatchObject({ has_more: true });
  const { body } = await list('gitlab', 'acme/web', 'glpat');
  expect(body.repositories).toMatchObject([{ full_name: 'acme/web/site', private: true }]);
  expect(tokens.at(-1)).toBe('glpat');
});

test.each([
  ['nobody', undefined, { code: 'not_found', fields: { owner: expect.any(String) } }],
  ['acme', 'bad', { reason: 'token_rejected', fields: { token: expect.any(String) } }],
  ['busy', undefined, { reason: 'rate_limited' }],
])('says why the repositories of %s are not listed (token %s)', async (owner, token, error) => {
  expect((await list('github', owner, token)).error).toMatchObject(error);
});

test('a URL is tested without a project', async () => {
  const check = async (git_url: string) => await app.call(connectRoutes.check, { body: { git_url } }, eve);
  expect((await check('https://127.0.0.2/x.git')).error).toMatchObject({ reason: 'private_address' });
  expect((await check(`http://${hostName}/none.git`)).error?.reason).toBe('not_found_or_private');
  expect((await check('sample:parcel-desk')).body).toMatchObject({ name: 'parcel-desk', branch: 'main' });
  expect((await check('sample:other')).error).toMatchObject({ code: 'bad_request' });
});

test('the sample is added once, answers its error and replays a fix', async () => {
  const { body } = await app.call(connectRoutes.sample, {}, eve);
  const params = { id: body.id };
  expect((await app.call(connectRoutes.sample, {}, eve)).body.id).toBe(body.id);
  for (let tries = 0; tries < 1_800; tries++) {
    if ((await app.call(projectRoutes.get, { params }, eve)).body.status === 'ready') break;
    await sleep(50);
  }
  const asked = { error_message: TRACE, project_id: body.id };
  const { body: answer } = await app.call(debugRoutes.debug, { body: asked }, eve);
  expect(answer.places[0]).toMatchObject({ path: 'src/surcharges.js' });
  expect(answer.suspect_commits[0]).toMatchObject({
    message: expect.stringMatching(/^Index surcharges by zone/),
  });
  const { body: replay } = await app.call(replayRoutes.start, { params, body: {} }, eve);
  expect(replay).toMatchObject({
    fix: { message: 'Fix batch quotes of files with Windows line ends' },
    expected: { files: ['src/batch.js'] },
    cause_rank: 1,
  });
  expect(replay.suspects.every(({ timestamp }) => timestamp < replay.fix.timestamp)).toBe(true);
  const last = { number: replay.replayable };
  expect((await app.call(replayRoutes.start, { params, body: last }, eve)).error?.reason).toBe('no_fix');
});
