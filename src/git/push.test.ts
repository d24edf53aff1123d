import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Egress, startEgress } from '#egress/proxy.ts';
import type { RemoteCredential } from './credentials.ts';
import { fetchUpstream } from './fetch.ts';
import { importRepository } from './import.ts';
import { pushCommit, readRemoteBranch } from './push.ts';
import type { RemoteOptions } from './remote.ts';
import { git } from './run.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from './testing.ts';
import { makeCertificate, SSHD, type SshServer, serveSsh, watchCommandLines } from './testing-remotes.ts';
import { planCommit, writeCommit } from './write.ts';

const LIMITS = { maxRepoMb: 100, maxEntries: 1000, timeoutS: 60 };
const ADA = { name: 'Ada', email: 'ada@example.org', time: 1_700_000_000 };
const SECRET = 'ghp_aSecretThatNobodyMayEcho4711';

const folder = mkdtempSync(join(tmpdir(), 'hindsight-push-'));
let upstream: TestRepository;

beforeAll(async () => {
  upstream = await buildRepository(async (repo) => {
    await repo.commit({ message: 'Begin', files: { 'a.txt': 'one\n' } });
  });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await upstream.remove();
});

/** A commit that is in no branch. */
async function commitOn(repo: string, parent: string, text: string | Buffer): Promise<string> {
  const content = Buffer.from(text);
  const oid = (await git(repo, ['hash-object', '--stdin'], { name: 'hash', input: content })).stdout;
  const blob = { oid: oid.toString().trim(), mode: '100644', content };
  const plan = await planCommit(repo, { parent, changes: [{ path: 'a.txt', blob }] });
  return await writeCommit(repo, plan, { message: 'Fix the text\n', by: ADA });
}

async function importFresh(options: RemoteOptions): Promise<string> {
  const into = join(mkdtempSync(join(folder, 'project-')), 'repo.git');
  await importRepository({ ...options, into });
  return into;
}

describe('git over http', () => {
  const hooksPath = mkdtempSync(join(folder, 'hooks-'));
  let server: GitServer;
  let egress: Egress;
  let options: RemoteOptions;
  let repo: string;

  beforeAll(async () => {
    const hook = join(hooksPath, 'pre-receive');
    // Refuses `release/*` as a host refuses a protected branch, and answers others with a line.
    writeFileSync(
      hook,
      '#!/bin/sh\nwhile read old new ref; do case "$ref" in\n' +
        "  refs/heads/release/*) printf 'GH006: Protected branch update failed.\\033[31m\\n' >&2; exit 1 ;;\n" +
        "  refs/heads/policy/*) echo 'Every commit needs a ticket.' >&2; exit 1 ;;\n" +
        "  *) echo 'Open a pull request: https://host/new' >&2 ;;\nesac; done\n",
    );
    chmodSync(hook, 0o755);
    server = await serveRepositories(upstream.folder, { receivePack: { hooksPath } });
    egress = await startEgress({ allowedPrivateHosts: [server.host] });
    options = { url: `${server.url}/${upstream.name}`, egress, limits: LIMITS };
    repo = await importFresh(options);
  });
  afterAll(async () => {
    await egress.close();
    await server.close();
  });

  test('creates a branch, moves it forward and leaves it as it is, with the message of the host', async () => {
    const first = await commitOn(repo, await upstream.head('main'), 'two\n');
    const push = (commit: string) => pushCommit({ ...options, repo, commit, branch: 'fix/text' });
    expect(await readRemoteBranch({ ...options, branch: 'fix/text' })).toEqual({
      defaultBranch: 'main',
      head: null,
    });
    expect(await push(first)).toEqual({
      state: 'created',
      message: 'Open a pull request: https://host/new',
    });
    const second = await commitOn(repo, first, 'three\n');
    expect(await push(second)).toMatchObject({ state: 'updated' });
    expect(await push(second)).toEqual({ state: 'unchanged', message: '' });
    expect(await upstream.head('fix/text')).toBe(second);
    expect((await readRemoteBranch({ ...options, branch: 'fix/text' })).head).toBe(second);
  });

  test('a branch that has moved is left alone; with a lease it is replaced, provided it stands where we saw it', async () => {
    const base = await upstream.head('main');
    const [mine, theirs] = [await commitOn(repo, base, 'mine\n'), await commitOn(repo, base, 'theirs\n')];
    const push = (commit: string, lease?: string) =>
      pushCommit({ ...options, repo, commit, branch: 'shared', lease });
    await push(theirs);
    expect(await push(mine)).toMatchObject({ state: 'refused', reason: 'branch_moved' });
    expect(await push(mine, base)).toMatchObject({ state: 'refused', reason: 'branch_moved' });
    expect(await upstream.head('shared')).toBe(theirs);
    expect(await push(mine, theirs)).toMatchObject({ state: 'replaced' });
    expect(await upstream.head('shared')).toBe(mine);
  });

  test('what the host refuses is a result with its message, without control characters', async () => {
    const commit = await commitOn(repo, await upstream.head('main'), 'refused\n');
    const push = (branch: string) => pushCommit({ ...options, repo, commit, branch });
    expect(await push('release/1')).toEqual({
      state: 'refused',
      reason: 'protected_branch',
      message: 'GH006: Protected branch update failed.[31m',
    });
    expect(await push('policy/1')).toEqual({
      state: 'refused',
      reason: 'hook_declined',
      message: 'Every commit needs a ticket.',
    });
    await expect(push('a..b')).rejects.toMatchObject({ reason: 'invalid_branch_name' });
    await expect(push('--all')).rejects.toMatchObject({ reason: 'invalid_branch_name' });
    // A folder of a branch that is there: git on the host refuses the name.
    expect(await push('main/below')).toMatchObject({ state: 'refused' });
  });

  test('a large commit is sent, one beyond the limit of uploads is cut off', async () => {
    const noise = (megabytes: number) => {
      const bytes = Buffer.alloc(megabytes * 2 ** 20);
      for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE((Math.random() * 2 ** 32) >>> 0, at);
      return bytes;
    };
    const base = await upstream.head('main');
    const [large, huge] = [await commitOn(repo, base, noise(3)), await commitOn(repo, base, noise(56))];
    expect(await pushCommit({ ...options, repo, commit: large, branch: 'large' })).toMatchObject({
      state: 'created',
    });
    await expect(pushCommit({ ...options, repo, commit: huge, branch: 'huge' })).rejects.toMatchObject({
      messageKey: 'git_upload_too_large',
    });
    expect((await readRemoteBranch({ ...options, branch: 'huge' })).head).toBeNull();
    await upstream.deleteBranch('large');
  }, 60_000);
});

describe('hosts that do not take a push', () => {
  const certificate = makeCertificate();
  afterAll(() => certificate.remove());

  /** Reads are served, the answer to a push is `status`. */
  async function withHost<T>(
    status: number,
    headers: Record<string, string>,
    use: (options: RemoteOptions) => Promise<T>,
    body = 'remote: no',
  ): Promise<T> {
    const server = await serveRepositories(upstream.folder, {
      tls: certificate,
      answer: (request, reply) => {
        if (!/receive-pack/.test(request.url ?? '')) return false;
        if (status !== 0) reply.writeHead(status, headers).end(body);
        return true;
      },
    });
    const egress = await startEgress({ allowedPrivateHosts: [server.host] });
    const limits = { ...LIMITS, caFile: certificate.file };
    try {
      return await use({ url: `${server.url}/${upstream.name}`, egress, limits });
    } finally {
      await egress.close();
      await server.close();
    }
  }

  const token: RemoteCredential = { kind: 'token', username: 'robot', token: SECRET };
  const cases: [string, number, Record<string, string>, RemoteCredential | null, object][] = [
    ['a credential that may only read', 403, {}, token, { reason: 'not_permitted' }],
    ['no credential', 401, { 'www-authenticate': 'Basic' }, null, { reason: 'credential_required' }],
    ['a redirect', 302, { location: 'https://elsewhere.example/x' }, token, { reason: 'redirected' }],
    ['an error', 500, {}, null, { reason: 'unreachable' }],
    ['words that are not git', 200, { 'content-type': 'text/html' }, null, { reason: 'push_not_completed' }],
    ['silence', 0, {}, null, { reason: 'timed_out' }],
  ];

  test.each(cases)(
    '%s: a clear reason, and no secret in it',
    async (_, status, headers, credential, expected) => {
      await withHost(status, headers, async (options) => {
        const repo = await importFresh(options);
        const commit = await commitOn(repo, await upstream.head('main'), `${status}\n`);
        const limits = { ...options.limits, timeoutS: status === 0 ? 2 : LIMITS.timeoutS };
        const push = { ...options, limits, repo, commit, branch: 'x', credential };
        const result = await pushCommit(push).catch((error) => error);
        expect(result).toMatchObject(expected);
        expect(JSON.stringify([result, result.message, result.cause?.message])).not.toContain(SECRET);
      });
    },
  );

  test('the token is on no command line', async () => {
    const server = await serveRepositories(upstream.folder, { tls: certificate, receivePack: {} });
    const egress = await startEgress({ allowedPrivateHosts: [server.host] });
    const options = {
      url: `${server.url}/${upstream.name}`,
      egress,
      limits: { ...LIMITS, caFile: certificate.file },
    };
    const repo = await importFresh(options);
    const commit = await commitOn(repo, await upstream.head('main'), 'token\n');
    const watch = watchCommandLines();
    expect(await pushCommit({ ...options, repo, commit, branch: 'token', credential: token })).toMatchObject({
      state: 'created',
    });
    const seen = watch.stop();
    expect(seen).toMatch(/git .*push/);
    expect(seen).not.toContain(SECRET);
    await egress.close();
    await server.close();
  });
});

describe.skipIf(SSHD === undefined)(
  SSHD ? 'a real sshd with git-shell' : 'a real sshd: LEFT OUT, openssh-server is not installed',
  () => {
    let server: SshServer;
    let egress: Egress;
    let privateKey: string;
    const start = async (command: string) => {
      const key = join(mkdtempSync(join(folder, 'key-')), 'key');
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
      privateKey = readFileSync(key, 'utf8');
      const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
      server = await serveSsh(`restrict,command="${command}" ${publicKey}`);
      egress = await startEgress({ allowedPrivateHosts: [server.host] });
      const credential: RemoteCredential = { kind: 'ssh', privateKey, hostKeys: null };
      return { url: `${server.url}${upstream.path}`, egress, limits: LIMITS, credential };
    };
    const stop = async () => {
      await egress.close();
      await server.close();
    };

    test('a key pushes a branch, which the next fetch brings', async () => {
      const options = await start('git-shell -c \\"$SSH_ORIGINAL_COMMAND\\"');
      const repo = await importFresh(options);
      const commit = await commitOn(repo, await upstream.head('main'), 'by ssh\n');
      expect(await pushCommit({ ...options, repo, commit, branch: 'by-ssh' })).toMatchObject({
        state: 'created',
      });
      await fetchUpstream({ ...options, repo });
      expect(await upstream.head('by-ssh')).toBe(commit);
      await stop();
    });

    test('a key that may only read is refused in the words of the host', async () => {
      const deploy =
        'case \\"$SSH_ORIGINAL_COMMAND\\" in git-receive-pack*) ' +
        "echo 'ERROR: The key you are authenticating with has been marked as read only.' >&2; exit 1;; esac; " +
        'git-shell -c \\"$SSH_ORIGINAL_COMMAND\\"';
      const options = await start(deploy);
      const repo = await importFresh(options);
      const commit = await commitOn(repo, await upstream.head('main'), 'read only\n');
      expect(await pushCommit({ ...options, repo, commit, branch: 'ro' })).toEqual({
        state: 'refused',
        reason: 'not_permitted',
        message: 'The key you are authenticating with has been marked as read only.',
      });
      await stop();
    });
  },
);
