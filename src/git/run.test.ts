import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git, gitStream, killAllGit, startGit } from './run.ts';
import { attachSpawner, startSpawner } from './spawner.ts';
import { buildRepository, type TestRepository } from './testing.ts';
import { commandLines } from './testing-processes.ts';
import { spawnCount } from './testing-spawn-count.ts';
import { readGitVersion, requireSupportedVersion } from './version.ts';

/** Leaves the spawner that all tests share. */
async function startAlone() {
  attachSpawner(undefined);
  return { close: async () => {} };
}

let repo: TestRepository;
let head: string;
beforeAll(async () => {
  repo = await buildRepository(async (building) => {
    head = await building.commit({ files: { 'a.txt': 'one\n', 'big.txt': 'x'.repeat(200_000) } });
  });
});
afterAll(() => repo.remove());

describe.each([
  ['by this process', startAlone],
  ['by the spawner', startSpawner],
])('%s', (_, start) => {
  let spawner: { close(): Promise<void> };
  beforeAll(async () => {
    spawner = await start();
  });
  afterAll(() => spawner.close());

  describe('arguments', () => {
    test.each([
      '-x',
      '--upload-pack=touch x',
      '',
      'a..b',
      'a b',
      'a\0b',
      'a~1',
      'abc^{/x}',
      'x.lock',
      'a\nb',
    ])('the revision %j never reaches git', async (revision) => {
      const before = spawnCount();
      await expect(
        git(repo.path, ['rev-parse'], { name: 'test', revisions: [revision] }),
      ).rejects.toMatchObject({
        code: 'bad_request',
        reason: 'invalid_ref_name',
      });
      expect(spawnCount()).toBe(before);
    });

    test.each(['../x', 'a/../b', '/etc/passwd', '', 'a//b', 'a\0b', 'a/'])(
      'the path %j never reaches git',
      async (path) => {
        const options = { name: 'test', revisions: [head], paths: [path] };
        const before = spawnCount();
        await expect(git(repo.path, ['ls-tree'], options)).rejects.toMatchObject({ reason: 'invalid_path' });
        expect(spawnCount()).toBe(before);
      },
    );
  });

  test('an unexpected exit code is an error with git’s words as its cause, an expected one is a result', async () => {
    const args = ['rev-parse', '--verify', '--quiet', 'refs/heads/none'];
    await expect(git(repo.path, args, { name: 'test' })).rejects.toMatchObject({ reason: 'git_failed' });
    expect((await git(repo.path, args, { name: 'test', ok: [1] })).exitCode).toBe(1);
  });

  test('collected output is capped, streamed output is not', async () => {
    const show = ['show', 'HEAD:big.txt'];
    await expect(git(repo.path, show, { name: 'test', maxOutput: 1000 })).rejects.toMatchObject({
      code: 'too_large',
    });
    let bytes = 0;
    for await (const chunk of gitStream(repo.path, show, { name: 'test' })) {
      bytes += chunk.length;
    }
    expect(bytes).toBe(200_000);
  });

  test.skipIf(!existsSync('/usr/bin/prlimit'))(
    'git that needs more memory than its limit is too large',
    async () => {
      const options = { name: 'test', input: Buffer.alloc(32 * 2 ** 20) };
      const write = ['hash-object', '--stdin'];
      const limits = { memory: 16 * 2 ** 20 };
      await expect(git(repo.path, write, { ...options, limits })).rejects.toMatchObject({
        reason: 'too_large',
      });
      expect((await git(repo.path, write, options)).exitCode).toBe(0);
    },
  );

  test('nothing of our environment and no user configuration reaches git', async () => {
    const { stdout } = await git(repo.path, ['-p', 'var', '-l'], { name: 'test' });
    expect(stdout.toString()).toContain('GIT_EDITOR=/bin/false');
    const config = await git(repo.path, ['config', '--list', '--show-scope'], { name: 'test' });
    const scopes = new Set(
      config.stdout
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t')[0]),
    );
    expect([...scopes].sort()).toEqual(['command', 'local']);
  });

  test('an aborted run throws, before it starts and while it runs', async () => {
    const stopped = AbortSignal.abort();
    await expect(git(repo.path, ['version'], { name: 'test', signal: stopped })).rejects.toMatchObject({
      reason: 'stopped',
    });
    const controller = new AbortController();
    const waiting = startGit(repo.path, ['cat-file', '--batch-command'], {
      name: 'test',
      signal: controller.signal,
    });
    controller.abort();
    expect(await waiting.end).toMatchObject({ reason: 'stopped' });
    const signal = AbortSignal.timeout(1);
    const timedOut = startGit(repo.path, ['cat-file', '--batch-command'], { name: 'test', signal });
    expect(await timedOut.end).toMatchObject({ reason: 'timed_out' });
  });

  test('a run that is killed takes git-remote-http with it', async () => {
    const pending: (() => void)[] = [];
    const reached = new Promise<void>((resolve) => pending.push(resolve));
    const silent = createServer(() => pending[0]!());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/silent.git`;
    const run = startGit(null, ['ls-remote', '--', url], {
      name: 'test',
      input: '',
      env: { GIT_ALLOW_PROTOCOL: 'http' },
    });
    await reached;
    expect(commandsWith(url).some((command) => command.includes('remote-http'))).toBe(true);
    killAllGit();
    expect(await run.end).toMatchObject({ reason: 'stopped' });
    await expect.poll(() => commandsWith(url)).toEqual([]);
    silent.closeAllConnections();
    silent.close();
  });

  test('a megabyte goes in and comes out whole', async () => {
    const content = randomBytes(2 ** 20);
    const input = { name: 'test', input: content };
    const { stdout } = await git(repo.path, ['hash-object', '-w', '--stdin'], input);
    const oid = stdout.toString().trim();
    const back = await git(repo.path, ['cat-file', 'blob', oid], { name: 'test' });
    expect(back.stdout.equals(content)).toBe(true);
  });

  test('many runs at once keep their streams apart', async () => {
    const texts = Array.from({ length: 30 }, (_, index) => `text ${index}`);
    const oids = await Promise.all(
      texts.map((input) => git(repo.path, ['hash-object', '-w', '--stdin'], { name: 'test', input })),
    );
    const contents = await Promise.all(
      oids.map(({ stdout }) => git(repo.path, ['cat-file', 'blob', `${stdout}`.trim()], { name: 'test' })),
    );
    expect(contents.map(({ stdout }) => stdout.toString())).toEqual(texts);
  });

  test('a reader that stops early ends git', async () => {
    for await (const _ of gitStream(repo.path, ['show', 'HEAD:big.txt'], { name: 'test' })) break;
    const run = startGit(repo.path, ['cat-file', '--batch-command'], { name: 'test' });
    run.kill('done');
    expect(await run.end).toMatchObject({ exitCode: 0 });
  });
});

/** Command lines of running processes that contain a text. */
function commandsWith(text: string): string[] {
  return commandLines().filter((command) => command.includes(text));
}

test('the version is read, and an old one refused in words', async () => {
  expect(await readGitVersion()).toMatch(/^\d+\.\d+/);
  expect(requireSupportedVersion('git version 2.38.0')).toBe('2.38.0');
  expect(requireSupportedVersion('git version 3.0.0.windows.1')).toBe('3.0.0');
  expect(() => requireSupportedVersion('git version 2.37.9')).toThrow(
    'Git 2.38 or newer is required. This server has Git 2.37.9.',
  );
});
