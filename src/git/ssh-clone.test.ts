import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Egress, startEgress } from '#egress/proxy.ts';
import type { RemoteCredential } from './credentials.ts';
import { fetchUpstream } from './fetch.ts';
import { importRepository } from './import.ts';
import type { RemoteOptions, Transfer } from './remote.ts';
import { buildRepository, type TestRepository } from './testing.ts';
import { gitChildren, SSHD, type SshServer, serveSsh } from './testing-remotes.ts';

const LIMITS = { maxRepoMb: 100, maxEntries: 1000, timeoutS: 60 };

const folder = mkdtempSync(join(tmpdir(), 'hindsight-ssh-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A key as people make one. */
function makeKey(name: string) {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)]);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { privateKey: read(name), publicKey: read(`${name}.pub`).trim() };
}

const fresh = () => join(mkdtempSync(join(folder, 'project-')), 'repo.git');
const credential = (privateKey: string, hostKeys: string | null = null): RemoteCredential => ({
  kind: 'ssh',
  privateKey,
  hostKeys,
});
const reasonOf = async (options: RemoteOptions) =>
  await importRepository({ ...options, into: fresh() }).then(
    () => 'imported',
    (error) => error.reason,
  );

describe.skipIf(SSHD === undefined)(
  SSHD ? 'a real sshd' : 'a real sshd: LEFT OUT, openssh-server is not installed',
  () => {
    let repository: TestRepository;
    let server: SshServer;
    let egress: Egress;
    let options: RemoteOptions;
    const mine = SSHD ? makeKey('mine') : { privateKey: '', publicKey: '' };
    let pinned = '';

    beforeAll(async () => {
      repository = await buildRepository(async (building) => {
        await building.commit({ files: { 'a.ts': 'export const a = 1;\n' } });
      });
      // The key may read repositories and do nothing else.
      const forced = `restrict,command="git-shell -c \\"$SSH_ORIGINAL_COMMAND\\"" ${mine.publicKey}`;
      server = await serveSsh(forced);
      egress = await startEgress({ allowedPrivateHosts: [server.host] });
      options = { url: `${server.url}${repository.path}`, egress, limits: LIMITS };
    });
    afterAll(async () => {
      await Promise.all([egress.close(), server.close(), repository.remove()]);
    });

    test('a clone pins the host key at the first use, and a fetch holds it to it', async () => {
      const into = fresh();
      const onHostKeys = async (lines: string) => {
        pinned = lines;
      };
      const key = credential(mine.privateKey);
      expect(await importRepository({ ...options, into, credential: key, onHostKeys })).toMatchObject({
        branch: 'main',
        head: await repository.head(),
      });
      expect(pinned).toMatch(/^\[127\.0\.0\.1\]:\d+ ssh-ed25519 \S+\n$/);
      await repository.commit({ files: { 'b.ts': 'export const b = 2;\n' } });
      const again = { ...options, repo: into, credential: credential(mine.privateKey, pinned) };
      expect((await fetchUpstream(again)).head).toBe(await repository.head());
    });

    test('another key is refused', async () => {
      const { privateKey } = makeKey('other');
      expect(await reasonOf({ ...options, credential: credential(privateKey) })).toBe('ssh_key_rejected');
    });

    test('another host key than the pinned one is refused, and nothing is pinned in its place', async () => {
      await server.changeHostKey();
      const onHostKeys = async () => {
        throw new Error('a key was pinned');
      };
      const key = credential(mine.privateKey, pinned);
      expect(await reasonOf({ ...options, credential: key, onHostKeys })).toBe('host_key_changed');
    });
  },
);

describe.skipIf(SSHD === undefined)('a server that only speaks like an sshd', () => {
  const { privateKey } = SSHD ? makeKey('hostile') : { privateKey: '' };

  async function cloneFrom(answer: (socket: Socket) => void, timeoutS: number) {
    const server = createServer((socket) => answer(socket.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const egress = await startEgress({ allowedPrivateHosts: [host] });
    let transfer: Transfer | undefined;
    const began = performance.now();
    const reason = await reasonOf({
      url: `ssh://git@${host}/a.git`,
      egress,
      limits: { ...LIMITS, timeoutS },
      credential: credential(privateKey),
      onTransfer: (progress) => {
        transfer = progress;
      },
    });
    await egress.close();
    server.close();
    return { reason, transfer: transfer!, ms: performance.now() - began, left: gitChildren(host) };
  }

  test('silence after the banner ends with the deadline, with all children', async () => {
    const { reason, ms, left } = await cloneFrom((socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'), 3);
    expect(reason).toBe('timed_out');
    expect(ms).toBeLessThan(50_000);
    expect(left).toEqual([]);
  });

  test.each([
    ['lines before the banner', 'welcome '.repeat(100)],
    ['one line without an end', ''],
  ])('a flood of %s is cut off', async (_, line) => {
    const chunk = Buffer.from((line === '' ? 'x'.repeat(800) : `${line}\r\n`).repeat(100));
    let sent = 0;
    const flood = (socket: Socket) => {
      const more = () => {
        while (!socket.destroyed && sent < 100 * 2 ** 20) {
          sent += chunk.length;
          if (!socket.write(chunk)) return void socket.once('drain', more);
        }
      };
      more();
    };
    const { reason, transfer, left } = await cloneFrom(flood, 20);
    expect(['unreachable', 'too_large', 'timed_out']).toContain(reason);
    expect(transfer.received).toBeLessThan(12 * 2 ** 20);
    expect(left).toEqual([]);
  });
});
