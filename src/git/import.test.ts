import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Egress, startEgress } from '#egress/proxy.ts';
import { fakeLookup, HOSTILE_URLS } from '#egress/testing.ts';
import { fetchUpstream } from './fetch.ts';
import { importRepository } from './import.ts';
import { resolveCommit } from './refs.ts';
import { indexChangedPaths, type RemoteOptions } from './remote.ts';
import { git } from './run.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from './testing.ts';
import { commandLines } from './testing-processes.ts';
import { spawnCount } from './testing-spawn-count.ts';

type TransferProgress = Parameters<NonNullable<RemoteOptions['onProgress']>>[0];

const LIMITS = { maxRepoMb: 100, maxEntries: 1000, timeoutS: 60 };

let repo: TestRepository;
let server: GitServer;
let egress: Egress;
let folder: string;
let into: string;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hindsight-import-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function setUp(
  build: (repo: TestRepository) => Promise<void>,
  answer?: Parameters<typeof serveRepositories>[1],
) {
  repo = await buildRepository(build);
  server = await serveRepositories(repo.folder, answer);
  egress = await startEgress({ allowedPrivateHosts: [server.host], lookup: fakeLookup, lookupTimeoutMs: 20 });
  url = `${server.url}/${repo.name}`;
}

async function tearDown(): Promise<void> {
  await server.close();
  await egress.close();
  await repo.remove();
}

beforeEach((context) => {
  into = join(mkdtempSync(join(folder, 'project-')), 'repo.git');
  context.onTestFinished(async () => {
    // Whatever happened: no unfinished folder stays.
    expect(readdirSync(join(into, '..')).filter((name) => name !== 'repo.git')).toEqual([]);
  });
});

describe('a repository with branches and tags', () => {
  beforeAll(() =>
    setUp(async (building) => {
      await building.commit({ files: { 'a.ts': 'one\n', 'b.ts': 'two\n' } });
      await building.tag('v1');
      await building.branch('feature/x');
      await building.commit({ files: { 'c.ts': 'three\n' } });
      await building.switch('main');
    }),
  );
  afterAll(() => tearDown());

  test('arrives whole: branches under origin, tags, HEAD at the default branch, nothing in refs/heads', async () => {
    const progress: TransferProgress[] = [];
    const found = await importRepository({
      url,
      into,
      egress,
      limits: LIMITS,
      onProgress: (p) => progress.push(p),
    });
    expect(found).toEqual({ branch: 'main', head: await repo.head() });
    const { stdout } = await git(into, ['for-each-ref', '--format=%(refname)'], { name: 'test' });
    expect(stdout.toString().trim().split('\n')).toEqual([
      'refs/remotes/origin/feature/x',
      'refs/remotes/origin/main',
      'refs/tags/v1',
    ]);
    expect(await resolveCommit(into, 'HEAD')).toBe(found.head);
    expect(await resolveCommit(into, 'feature/x')).toBe(await repo.head('feature/x'));
    expect(progress.at(-1)).toMatchObject({ unit: 'objects', done: progress.at(-1)!.total });
    expect(readFileSync(join(into, 'config'), 'utf8')).not.toContain(server.host);
    await expect(importRepository({ url, into, egress, limits: LIMITS })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('the paths that commits changed are indexed later, and kept up by the next transfer', async () => {
    const graph = () => readFileSync(join(into, 'objects/info/commit-graph'), 'latin1');
    await importRepository({ url, into, egress, limits: LIMITS });
    expect(graph()).not.toContain('BDAT');
    await indexChangedPaths(into, { limits: LIMITS });
    expect(graph()).toContain('BDAT');
    const { ino } = statSync(join(into, 'objects/info/commit-graph'));
    await indexChangedPaths(into, { limits: LIMITS });
    expect(statSync(join(into, 'objects/info/commit-graph')).ino).toBe(ino);
    await fetchUpstream({ repo: into, url, egress, limits: LIMITS });
    expect(graph()).toContain('BDAT');
  });

  test('what is missing is said in words, and leaves nothing behind', async () => {
    const missing = importRepository({ url: `${server.url}/missing.git`, into, egress, limits: LIMITS });
    await expect(missing).rejects.toMatchObject({ code: 'bad_request', reason: 'not_found_or_private' });
    expect(existsSync(into)).toBe(false);
  });

  test('more files than allowed, or more bytes, end the import', async () => {
    await expect(
      importRepository({ url, into, egress, limits: { ...LIMITS, maxEntries: 1 } }),
    ).rejects.toMatchObject({ code: 'too_large', reason: 'too_many_files' });
    await expect(
      importRepository({ url, into, egress, limits: { ...LIMITS, maxRepoMb: 0.0001 } }),
    ).rejects.toMatchObject({ code: 'too_large', reason: 'too_large' });
  });

  test('an aborted import stops and leaves nothing behind', async () => {
    const controller = new AbortController();
    const running = importRepository({ url, into, egress, limits: LIMITS, signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(running).rejects.toMatchObject({ reason: 'stopped' });
    expect(existsSync(into)).toBe(false);
  });

  test('what a killed import left is removed by the next one', async () => {
    mkdirSync(`${into}.import-abcdef`, { recursive: true });
    writeFileSync(`${into}.import-abcdef/HEAD`, '');
    await importRepository({ url, into, egress, limits: LIMITS });
  });

  test('passwords of the proxy stand in no command line and nowhere in the repository', async () => {
    const secrets: string[] = [];
    const seen: string[] = [];
    const watched: Egress = {
      ...egress,
      lease(request) {
        const lease = egress.lease(request);
        secrets.push(new URL(lease.proxyUrl).password);
        return lease;
      },
    };
    const timer = setInterval(() => seen.push(...commandLines()), 5);
    await importRepository({ url, into, egress: watched, limits: LIMITS });
    clearInterval(timer);
    expect(seen.some((line) => line.includes(url))).toBe(true);
    expect(secrets).toHaveLength(1);
    expect(seen.filter((line) => line.includes(secrets[0]!))).toEqual([]);
    for (const entry of readdirSync(into, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      expect(entry.isFile() && readFileSync(path).includes(secrets[0]!)).toBe(false);
    }
  });

  test.each(HOSTILE_URLS)('%j is refused before git runs', async (hostile) => {
    const before = spawnCount();
    await expect(importRepository({ url: hostile, into, egress, limits: LIMITS })).rejects.toThrow();
    expect(spawnCount()).toBe(before);
  });
});

test('an empty repository has an error of its own', async () => {
  await setUp(async () => {});
  await expect(importRepository({ url, into, egress, limits: LIMITS })).rejects.toMatchObject({
    code: 'bad_request',
    reason: 'empty_repository',
  });
  await tearDown();
});

test('an upstream whose history is cut off is taken as far as it goes, and followed', async () => {
  await setUp(async (building) => {
    for (const text of ['one', 'two', 'three', 'four']) {
      await building.commit({ message: text, files: { 'a.ts': `${text}\n` } });
    }
  });
  const shallow = join(repo.folder, 'shallow.git');
  await git(null, ['clone', '--bare', '-q', '--depth=2', '--', `file://${repo.path}`, shallow], {
    name: 'test',
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  });
  const remote = { url: `${server.url}/shallow.git`, into, egress, limits: LIMITS };
  const found = await importRepository(remote);
  expect(found).toEqual({ branch: 'main', head: await repo.head() });
  expect(await subjects()).toEqual(['four', 'three']);

  const head = await repo.commit({ message: 'five', files: { 'a.ts': 'five\n' } });
  await git(shallow, ['fetch', '-q', `file://${repo.path}`, 'main:main'], {
    name: 'test',
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  });
  expect((await fetchUpstream({ ...remote, repo: into })).head).toBe(head);
  expect(await subjects()).toEqual(['five', 'four', 'three']);
  await tearDown();
});

test('an upstream that is a partial clone is rejected by name', async () => {
  await setUp(async (building) => {
    await building.commit({ message: 'one', files: { 'a.ts': 'one\n' } });
  });
  const test = (at: string | null, args: string[]) =>
    git(at, args, { name: 'test', env: { GIT_ALLOW_PROTOCOL: 'file' } });
  const partial = join(repo.folder, 'partial.git');
  await test(repo.path, ['config', 'uploadpack.allowFilter', 'true']);
  await test(null, ['clone', '--bare', '-q', '--filter=blob:none', '--', `file://${repo.path}`, partial]);
  await test(partial, ['config', 'remote.origin.url', `file://${folder}/gone`]);
  const remote = { url: `${server.url}/partial.git`, into, egress, limits: LIMITS };
  await expect(importRepository(remote)).rejects.toMatchObject({
    code: 'bad_request',
    reason: 'partial_clone',
  });
  await tearDown();
});

async function subjects(): Promise<string[]> {
  const { stdout } = await git(into, ['log', '--format=%s', 'HEAD'], { name: 'test' });
  return stdout.toString().trim().split('\n');
}

test.each(['sha1', 'sha256'] as const)(
  'a %s repository whose HEAD names no branch gets the likeliest',
  async (objectFormat) => {
    await setUp(async () => {});
    const other = await buildRepository(
      async (building) => {
        await building.commit({ files: { 'a.ts': 'a\n' } });
        await building.branch('zeta');
        await building.commit({ files: { 'a.ts': 'z\n' } });
        await git(building.path, ['symbolic-ref', 'HEAD', 'refs/heads/missing'], { name: 'test' });
      },
      { objectFormat },
    );
    const served = await serveRepositories(other.folder);
    const way = await startEgress({ allowedPrivateHosts: [served.host] });
    const found = await importRepository({
      url: `${served.url}/project.git`,
      into,
      egress: way,
      limits: LIMITS,
    });
    expect(found).toEqual({ branch: 'main', head: await other.head('main') });
    await Promise.all([served.close(), way.close(), other.remove()]);
    await tearDown();
  },
);

test('a bomb of a dozen objects that unfold to ten thousand million files is stopped at the cap', async () => {
  await setUp(async (building) => {
    const head = await building.commit({ files: { 'a.ts': 'boom\n' } });
    const run = async (args: string[], input: string) =>
      (await git(building.path, args, { name: 'test', input })).stdout.toString().trim();
    const blob = await run(['rev-parse', `${head}:a.ts`], '');
    const entries = (mode: string, type: string, oid: string) =>
      Array.from({ length: 10 }, (_, index) => `${mode} ${type} ${oid}\t${index}\n`).join('');
    let tree = await run(['mktree'], entries('100644', 'blob', blob));
    for (let depth = 1; depth < 10; depth += 1) {
      tree = await run(['mktree'], entries('040000', 'tree', tree));
    }
    const stream = `commit refs/heads/main\ncommitter B <b@example.org> 1 +0000\ndata 4\nbomb\nM 040000 ${tree} \ndone\n`;
    await run(['fast-import', '--quiet', '--done', '--force'], stream);
  });
  await expect(importRepository({ url, into, egress, limits: LIMITS })).rejects.toMatchObject({
    code: 'too_large',
    reason: 'too_many_files',
  });
  await tearDown();
});

describe('refresh', () => {
  test('follows new commits, gone branches, force pushes and a renamed default branch', async () => {
    await setUp(async (building) => {
      await building.commit({ files: { 'a.ts': 'one\n' } });
      await building.branch('topic');
      await building.commit({ files: { 'a.ts': 'topic\n' } });
      await building.switch('main');
    });
    await importRepository({ url, into, egress, limits: LIMITS });
    const refresh = () => fetchUpstream({ repo: into, url, egress, limits: LIMITS });

    await repo.commit({ files: { 'a.ts': 'two\n' } });
    // A branch `topic` that gives way to `topic/x` cannot be fetched without pruning first.
    await repo.deleteBranch('topic');
    await repo.branch('topic/x');
    await repo.switch('main');
    // A fetch that was killed has left its lock.
    writeFileSync(join(into, 'packed-refs.lock'), '');
    expect(await refresh()).toEqual({ branch: 'main', head: await repo.head('main') });
    expect(await resolveCommit(into, 'topic')).toBeNull();
    expect(await resolveCommit(into, 'topic/x')).toBe(await repo.head('main'));

    await repo.branch('trunk');
    const head = await repo.commit({ files: { 'a.ts': 'three\n' } });
    await repo.deleteBranch('main');
    await git(repo.path, ['symbolic-ref', 'HEAD', 'refs/heads/trunk'], { name: 'test' });
    expect(await refresh()).toEqual({ branch: 'trunk', head });
    expect(await resolveCommit(into, 'HEAD')).toBe(head);

    await repo.deleteBranch('trunk');
    await repo.deleteBranch('topic/x');
    await expect(refresh()).rejects.toMatchObject({ reason: 'empty_repository' });
    expect(await resolveCommit(into, 'HEAD')).toBe(head);
    await tearDown();
  });
});

describe('servers that misbehave', () => {
  test.each([301, 302, 307])('a redirect (%i) is never followed', async (status) => {
    let canary = 0;
    const forbidden = createServer((_, reply) => {
      canary += 1;
      reply.end();
    });
    await new Promise<void>((resolve) => forbidden.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(forbidden.address() as AddressInfo).port}/x`;
    await setUp(async () => {}, {
      answer: (_, reply) => {
        reply.writeHead(status, { location }).end();
        return true;
      },
    });
    await expect(importRepository({ url, into, egress, limits: LIMITS })).rejects.toMatchObject({
      code: 'bad_request',
      reason: 'redirected',
    });
    expect(canary).toBe(0);
    forbidden.close();
    await tearDown();
  });

  test('not even one within the same host is followed', async () => {
    await setUp(async () => {}, {
      answer: (request, reply) => {
        reply.writeHead(302, { location: request.url!.replace('project', 'elsewhere') }).end();
        return true;
      },
    });
    const failure = importRepository({ url, into, egress, limits: LIMITS });
    await expect(failure).rejects.toMatchObject({ reason: 'redirected' });
    expect(server.hits).toEqual(['GET /project.git/info/refs?service=git-upload-pack']);
    await tearDown();
  });

  test.each([
    [401, 'not_found_or_private'],
    [403, 'not_found_or_private'],
    [404, 'not_found_or_private'],
    [500, 'unreachable'],
  ])('status %i is %s', async (status, reason) => {
    await setUp(async () => {}, {
      answer: (_, reply) => {
        reply.writeHead(status, { 'www-authenticate': 'Basic' }).end();
        return true;
      },
    });
    const failure = importRepository({ url, into, egress, limits: LIMITS });
    await expect(failure).rejects.toMatchObject({
      reason,
      message: expect.not.stringMatching(/40[13]|token/),
    });
    await tearDown();
  });

  test('one that breaks off in the middle is unreachable, one that refuses too', async () => {
    let posts = 0;
    await setUp(
      async (building) => {
        await building.commit({ files: { 'a.ts': 'one\n' } });
      },
      {
        // Two requests ask for refs; the third, by fetch, would be answered with the pack.
        answer: (request, reply) => {
          posts += request.method === 'POST' ? 1 : 0;
          if (posts === 3) {
            reply.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
            reply.write('000dpackfile\n', () => reply.destroy());
          }
          return posts === 3;
        },
      },
    );
    const failure = importRepository({ url, into, egress, limits: LIMITS });
    await expect(failure).rejects.toMatchObject({ code: 'unavailable', reason: 'unreachable' });
    await server.close();
    const refused = importRepository({ url, into, egress, limits: LIMITS });
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', reason: 'unreachable' });
    await tearDown();
  });
});
