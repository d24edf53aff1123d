import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Egress, startEgress } from '#egress/proxy.ts';
import { generateSshKey } from '#secrets/ssh-key.ts';
import type { RemoteCredential } from './credentials.ts';
import { importRepository } from './import.ts';
import type { RemoteOptions } from './remote.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from './testing.ts';
import { makeCertificate, SSHD, type SshServer, serveSsh, watchCommandLines } from './testing-remotes.ts';

const SECRET = 'ghp_aSecretThatNobodyMaySee4711';
const LIMITS = { maxRepoMb: 100, maxEntries: 1000, timeoutS: 60 };

let repo: TestRepository;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hindsight-private-'));
  // Other tests keep theirs in the temporary folder of the machine.
  vi.stubEnv('TMPDIR', folder);
  repo = await buildRepository(async (building) => {
    for (let index = 0; index < 5; index++) await building.commit({ files: { [`${index}.ts`]: 'x\n' } });
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
  await repo.remove();
});

const fresh = () => join(mkdtempSync(join(folder, 'project-')), 'repo.git');
const leftovers = () => readdirSync(folder).filter((name) => name.startsWith('hindsight-credential-'));

async function reasonOf(options: RemoteOptions): Promise<string> {
  const into = fresh();
  return await importRepository({ ...options, into }).then(
    () => 'imported',
    (error) => error.reason,
  );
}

/** Everything that lies in a folder, as text. */
function contents(path: string): string {
  return execFileSync('grep', ['-rahoE', '.*', path], { encoding: 'latin1', maxBuffer: 2 ** 28 });
}

describe('a token over https', () => {
  const certificate = makeCertificate();
  let server: GitServer;
  let egress: Egress;
  let requests: string[] = [];
  let options: RemoteOptions;

  beforeAll(async () => {
    server = await serveRepositories(repo.folder, {
      tls: certificate,
      answer: (request, reply) => {
        const [, encoded = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
        const shown = Buffer.from(encoded, 'base64').toString();
        requests.push(shown);
        if (shown === `robot:${SECRET}`) return false;
        reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        return true;
      },
    });
    egress = await startEgress({ allowedPrivateHosts: [server.host] });
    options = {
      url: `${server.url}/${repo.name}`,
      egress,
      limits: { ...LIMITS, caFile: certificate.file },
    };
  });
  afterAll(async () => {
    await egress.close();
    await server.close();
    await certificate.remove();
  });

  const token = (token: string, username = 'robot') => ({ kind: 'token' as const, username, token });

  test('opens the repository, and is in no command line, file or address', async () => {
    const into = fresh();
    const watch = watchCommandLines();
    await importRepository({ ...options, into, credential: token(SECRET) });
    const seen = watch.stop();
    expect(seen).toMatch(/git .*fetch/);
    expect(seen).not.toContain(SECRET);
    expect(contents(into)).not.toContain(SECRET);
    expect(server.hits.join('\n')).not.toContain(SECRET);
    expect(leftovers()).toEqual([]);
  });

  test('a wrong one, or none, is refused without the secret in words', async () => {
    expect(await reasonOf({ ...options, credential: token('wrong') })).toBe('credential_rejected');
    expect(await reasonOf(options)).toBe('not_found_or_private');
    const error = await importRepository({
      ...options,
      into: fresh(),
      credential: token('another-sentinel'),
    }).catch((caught) => caught);
    expect(JSON.stringify([error.message, String(error.cause), String(error.cause?.cause)])).not.toContain(
      'another-sentinel',
    );
    expect(leftovers()).toEqual([]);
  });

  test('a name with an @ is asked for as well', async () => {
    requests = [];
    await reasonOf({ ...options, credential: token(SECRET, 'me@example.org') });
    expect(requests).toContain(`me@example.org:${SECRET}`);
  });

  test('an untrusted certificate is refused before the token is sent', async () => {
    requests = [];
    expect(await reasonOf({ ...options, limits: LIMITS, credential: token(SECRET) })).toBe(
      'invalid_certificate',
    );
    expect(requests).toEqual([]);
  });

  test('it never travels over plain http', async () => {
    const plain = await serveRepositories(repo.folder);
    const way = await startEgress({ allowedPrivateHosts: [plain.host] });
    const url = `${plain.url}/${repo.name}`;
    expect(await reasonOf({ ...options, url, egress: way, credential: token(SECRET) })).toBe(
      'plain_http_credential',
    );
    expect(plain.hits).toEqual([]);
    await way.close();
    await plain.close();
  });
});

describe.skipIf(SSHD === undefined)(
  SSHD ? 'a key by ssh' : 'a key by ssh: LEFT OUT, there is no sshd here',
  () => {
    const { privateKey, publicKey } = generateSshKey('hindsight');
    let server: SshServer;
    let egress: Egress;
    let options: RemoteOptions;

    beforeAll(async () => {
      server = await serveSsh(publicKey);
      egress = await startEgress({ allowedPrivateHosts: [server.host] });
      options = { url: `${server.url}${repo.path}`, egress, limits: LIMITS };
    });
    afterAll(async () => {
      await egress.close();
      await server.close();
    });

    const key = (hostKeys: string | null = null, secret = privateKey): RemoteCredential => ({
      kind: 'ssh',
      privateKey: secret,
      hostKeys,
    });

    test('opens the repository through the proxy, pins the host, and leaves nothing behind', async () => {
      const into = fresh();
      let pinned = '';
      const watch = watchCommandLines();
      const { branch } = await importRepository({
        ...options,
        into,
        credential: key(),
        onHostKeys: async (lines) => {
          pinned = lines;
        },
      });
      const seen = watch.stop();
      expect(branch).toBe('main');
      expect(pinned).toMatch(/^\[127\.0\.0\.1\]:\d+ ssh-ed25519 \S+\n$/);
      expect(seen).toContain('ssh-proxy-command.ts');
      const [, secretLine = ''] = privateKey.split('\n');
      expect(seen).not.toContain(secretLine);
      expect(seen).not.toMatch(/https?:\/\/[0-9a-f]+:[0-9a-f]+@127/);
      expect(contents(into)).not.toContain(secretLine);
      expect(leftovers()).toEqual([]);
      // A second time by the pinned key.
      expect(await reasonOf({ ...options, credential: key(pinned) })).toBe('imported');
    });

    test('another key is refused in words', async () => {
      expect(await reasonOf({ ...options, credential: key(null, generateSshKey('x').privateKey) })).toBe(
        'ssh_key_rejected',
      );
    });

    test('a repository that is not there says so', async () => {
      expect(await reasonOf({ ...options, url: `${server.url}/nowhere`, credential: key() })).toBe(
        'credential_rejected',
      );
    });

    test('a host that is not allowed is never dialled', async () => {
      const events: string[] = [];
      const closed = await startEgress({
        allowedPrivateHosts: [],
        log: ({ outcome }) => events.push(outcome),
      });
      expect(await reasonOf({ ...options, egress: closed, credential: key() })).toBe('port_not_allowed');
      expect(events).toEqual([]);
      await closed.close();
    });

    test('a name that turns to a private address between check and dial is refused by the proxy', async () => {
      let requestCount = 0;
      const way = await startEgress({
        allowedPrivateHosts: [],
        lookup: async () => [{ address: requestCount++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }],
      });
      const url = `git@rebind.example.com:${repo.path}`;
      expect(await reasonOf({ ...options, url, egress: way, credential: key() })).toBe('private_address');
      expect(requestCount).toBe(2);
      await way.close();
    });

    test('without a key an address by ssh is answered with the one by https', async () => {
      expect(await reasonOf(options)).toBe('ssh_key_required');
    });

    test('another host key than the pinned one ends it before the key is shown', async () => {
      let pinned = '';
      const onHostKeys = async (lines: string) => {
        pinned = lines;
      };
      expect(await reasonOf({ ...options, credential: key(), onHostKeys })).toBe('imported');
      await server.changeHostKey();
      expect(await reasonOf({ ...options, credential: key(pinned) })).toBe('host_key_changed');
    });
  },
);
