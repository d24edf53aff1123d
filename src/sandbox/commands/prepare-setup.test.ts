import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Egress, startEgress } from '#egress/proxy.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { prepareSetup } from './prepare-setup.ts';
import type { PreparedSetup, SetupRequest } from './sandbox.ts';
import { openSandboxFixture, SANDBOX_MISSING, type SandboxFixture, sandboxTitle } from './testing-sandbox.ts';

const LOCKFILE = '{"lockfileVersion": 3}';
/** Connects through the proxy that the environment names, as package managers do. */
const FETCH = (host: string) => `node -e '
  const proxy = new URL(process["env"].HTTPS_PROXY);
  const request = require("http").request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path: "${host}" });
  request.on("connect", (reply, socket, first) => {
    if (reply.statusCode !== 200) { console.log("status " + reply.statusCode); process.exit(7); }
    if (first.length > 0) { console.log(String(first)); process.exit(0); }
    socket.on("data", (data) => { console.log(String(data)); process.exit(0); });
  }).on("error", (e) => { console.log(e.code); process.exit(8); }).end();'`;

let fixture: SandboxFixture;
let repository: TestRepository;
let egress: Egress;
let registry: Server;
let host: string;
const commits: Record<string, string> = {};

describe.skipIf(SANDBOX_MISSING !== null)(sandboxTitle('set-up commands'), () => {
  beforeAll(async () => {
    fixture = await openSandboxFixture();
    registry = createServer((socket) => socket.end('package'));
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(registry.address() as { port: number }).port}`;
    egress = await startEgress({ allowedPrivateHosts: [host] });
    repository = await buildRepository(async (repo) => {
      const files = { 'package.json': '{}', 'package-lock.json': LOCKFILE, 'src/index.js': 'honest' };
      commits.first = await repo.commit({ files });
      commits.sameLockfile = await repo.commit({
        files: { 'src/index.js': 'poisoned', 'install.sh': 'evil' },
      });
      commits.otherLockfile = await repo.commit({ files: { 'package-lock.json': `${LOCKFILE}\n` } });
    });
  });
  afterAll(async () => {
    await egress?.close();
    registry?.close();
    await repository?.remove();
    await fixture?.close();
  });

  const cacheDir = () => join(fixture.root, 'setups');
  const prepare = (command: string, more: Partial<SetupRequest> = {}) =>
    prepareSetup(fixture.machine, {
      ...{ repo: repository.path, commit: commits.first!, command, hosts: [], egress, cacheDir: cacheDir() },
      limits: { wallMs: 15_000 },
      ...more,
    });
  const prepared = async (command: string, more: Partial<SetupRequest> = {}): Promise<PreparedSetup> => {
    const outcome = await prepare(command, more);
    if ('failed' in outcome) throw new Error(outcome.failed.output);
    return outcome.setup;
  };
  const INSTALL =
    'find . -type f | sort >/tmp/seen; mkdir -p node_modules/left && cp /tmp/seen node_modules/left/seen; date +%N >/setup/when';

  test('sees lockfiles and manifests alone, and leaves what it made for read-only use', async () => {
    const setup = await prepared(INSTALL);
    expect(setup.paths).toEqual(['node_modules']);
    const checkout = fixture.checkout({ 'src/index.js': 'tests' });
    const command = `cat node_modules/left/seen /setup/when; echo x >node_modules/left/seen; echo x >/setup/x; echo x >node_modules/y`;
    const { output } = await fixture.run(command, { checkout, setup });
    expect(output).toMatch(
      /^\.\/package-lock\.json\n\.\/package\.json\n\d+\n(?:.*Read-only file system\n){3}$/,
    );
  });

  test('runs once per content of the lockfiles, whatever else a revision changes', async () => {
    const first = await prepared(INSTALL);
    expect(await prepared(INSTALL, { commit: commits.sameLockfile! })).toEqual(first);
    expect((await prepared(INSTALL, { commit: commits.otherLockfile! })).folder).not.toBe(first.folder);
    expect((await prepared(`${INSTALL}; true`)).folder).not.toBe(first.folder);
    expect((await prepared(INSTALL, { hosts: ['example.org'] })).folder).not.toBe(first.folder);
    expect(readFileSync(join(first.folder, 'checkout/node_modules/left/seen'), 'utf8')).not.toContain('evil');
  });

  test('a command cannot poison a result that others use', async () => {
    const setup = await prepared(INSTALL);
    const before = readFileSync(join(setup.folder, 'checkout/node_modules/left/seen'), 'utf8');
    const attack = `rm -rf node_modules /setup/*; mv node_modules other; ln -sf /checkout/evil node_modules/left/seen
      chmod -R 777 node_modules /setup; perl -e 'open(my $f, "+<", "node_modules/left/seen") or exit 9'; echo $?`;
    const { output } = await fixture.run(attack, { setup });
    expect(output.trim().endsWith('9')).toBe(true);
    expect(readFileSync(join(setup.folder, 'checkout/node_modules/left/seen'), 'utf8')).toBe(before);
  });

  test('links and set-user-ID bits are no part of a result', async () => {
    const setup = await prepared(
      'ln -s /etc node_modules; ln -s / link; mkdir vendor; cp /bin/sh vendor/sh; chmod 755 vendor/sh; mkdir package.json.d; ln -s /root package.json.d/root',
    );
    expect(setup.paths).toEqual(['package.json.d', 'vendor']);
    const { output } = await fixture.run('ls package.json.d/root/; cat link/etc/shadow; ls -l vendor/sh', {
      setup,
    });
    expect(output).toMatch(/No such file.*\n.*No such file.*\n-rwxr-xr-x /);
  });

  test('a link of the repository does not lead a mount outside', async () => {
    const setup = await prepared('mkdir -p packages/a/node_modules && echo x >packages/a/node_modules/x');
    expect(setup.paths).toEqual(['packages']);
    const nested: PreparedSetup = { ...setup, paths: ['packages/a'] };
    const checkout = fixture.checkout();
    const outside = join(fixture.root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(checkout, 'packages'));
    const { output } = await fixture.run('ls packages/', { checkout, setup: nested });
    expect(output).toContain('No such file');
    expect(readdirSync(outside)).toEqual([]);
  });

  test('the files of a revision go before those of a set-up', async () => {
    const setup = await prepared(INSTALL);
    const checkout = fixture.checkout({ 'node_modules/left/seen': 'its own' });
    const { output } = await fixture.run('cat node_modules/left/seen', { checkout, setup });
    expect(output).toBe('its own');
  });

  test('a failed set-up is not kept', async () => {
    const before = readdirSync(cacheDir());
    const outcome = await prepare('echo broken; mkdir node_modules; exit 5');
    expect(outcome).toMatchObject({ failed: { exitCode: 5, output: 'broken\n' } });
    expect(readdirSync(cacheDir())).toEqual(before);
  });

  test('reaches the hosts of the list through the egress proxy, and no other', async () => {
    const reach = async (hosts: string[], target = host) => {
      const outcome = await prepare(`${FETCH(target)} | tee fetched; grep -q package fetched`, { hosts });
      if ('setup' in outcome) {
        return readFileSync(join(outcome.setup.folder, 'checkout/fetched'), 'utf8').trim();
      }
      return [outcome.failed.output.trim(), outcome.refusedHosts];
    };
    expect(await reach([host])).toBe('package');
    expect(await reach(['example.org'])).toEqual(['status 403', [host]]);
    // Private for the egress proxy, although it is on the list.
    expect(await reach(['127.0.0.1:9'], '127.0.0.1:9')).toEqual(['status 502', []]);
    expect(await reach(['.example.org'], 'badexample.org:443')).toEqual([
      'status 403',
      ['badexample.org:443'],
    ]);
    expect(await reach([host], host.replace(/\d+$/, '9'))).toEqual(['status 403', ['127.0.0.1:9']]);
  });

  test('has no network but the proxy', async () => {
    const command = `node -e 'require("net").connect(${host.split(':')[1]}, "127.0.0.1").on("error", (e) => { console.log(e.code); process.exit(6) }).on("data", () => process.exit(0))'`;
    expect(await prepare(command, { hosts: [host] })).toMatchObject({
      failed: { exitCode: 6, output: 'ECONNREFUSED\n' },
    });
  });

  test('cargo sees that its sources exist, and the key covers that', async () => {
    const cargo = await buildRepository(async (repo) => {
      await repo.commit({ files: { 'Cargo.toml': '[package]', 'src/main.rs': 'fn main() { evil() }' } });
    });
    const setup = await prepared('mkdir target; cat src/main.rs >target/main', {
      repo: cargo.path,
      commit: await cargo.head(),
    });
    expect(setup.paths).toEqual(['target']);
    expect(readFileSync(join(setup.folder, 'checkout/target/main'), 'utf8')).toBe('fn main() {}\n');
    await cargo.remove();
  });
});
