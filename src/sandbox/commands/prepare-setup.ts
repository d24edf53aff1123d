import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '#contract/errors.ts';
import { PLACES } from './bubblewrap.ts';
import { checkOutFiles } from './check-out.ts';
import { openEgressGateway } from './egress-gateway.ts';
import { NODE_IN_SANDBOX } from './host-folders.ts';
import { runHostProgram } from './host-program.ts';
import { removeSandboxFolder } from './remove-folder.ts';
import { runInSandbox, type SandboxMachine } from './run-in-sandbox.ts';
import type { PreparedSetup, SetupOutcome, SetupRequest } from './sandbox.ts';
import { STUB, selectSetupFiles } from './setup-files.ts';
import { SETUP_FOLDERS } from './setup-mounts.ts';

/** Part of every key, to be raised when the form of results changes. */
const FORMAT = 1;
const PROXY_PORT = 3128;
const SETUP_LIMITS = { wallMs: 15 * 60_000, cpuS: 900, diskMb: 4096 };
const MAX_DOWNLOAD_BYTES = 2 * 2 ** 30;
const MAX_PATHS = 200;
const MAX_WALKED = 100_000;
const MAX_SETUPS = 24;
/** A result that was used within this time may be mounted. */
const IN_USE_MS = 6 * 3600_000;
const RESULT_FILE = 'result.json';
const FORWARDER_IN_SANDBOX = '/run/hindsight/egress-forwarder';

/**
 * Runs a set-up command, or finds the result of an earlier run with the same key.
 *
 * The key covers the command, the hosts and every file that the command sees, and it sees only lockfiles and manifests: a
 * revision whose lockfiles are the same can change nothing in the result. The result is moved into place when the command has
 * succeeded, belongs to the server from then on, and is mounted read-only.
 */
export async function prepareSetup(machine: SandboxMachine, request: SetupRequest): Promise<SetupOutcome> {
  const { cacheDir, repo, commit } = request;
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(cacheDir, 'work-'));
  try {
    const checkout = join(work, SETUP_FOLDERS.checkout);
    const files = await checkOutFiles(repo, commit, checkout, selectSetupFiles, request);
    const key = setupKey(request, files);
    const folder = join(cacheDir, key);
    const known = await readResult(folder);
    if (known !== null) return { setup: known };
    for (const path of files.stubs) {
      await mkdir(dirname(join(checkout, path)), { recursive: true });
      await writeFile(join(checkout, path), STUB);
    }
    const before = new Set([...files.stubs, ...files.manifests.map(({ path }) => path)].flatMap(withParents));
    const failure = await runSetup(machine, request, work);
    if (failure !== null) return failure;
    await freeze(machine, work);
    await writeFile(join(work, RESULT_FILE), JSON.stringify({ paths: await findNewPaths(checkout, before) }));
    // A concurrent run of the same set-up may have been first; its result is as good.
    await rename(work, folder).catch(() => {});
    await evictSetups(cacheDir);
    const setup = await readResult(folder);
    if (setup === null) throw new AppError('unavailable', 'sandbox_failed', { params: { detail: 'set-up' } });
    return { setup };
  } finally {
    await removeSandboxFolder(work);
  }
}

function setupKey(request: SetupRequest, files: ReturnType<typeof selectSetupFiles>): string {
  const content = {
    format: FORMAT,
    machine: [arch(), process.versions.modules],
    command: request.command,
    hosts: [...request.hosts].sort(),
    manifests: files.manifests.map(({ path, mode, oid }) => [path, mode, oid]),
    stubs: files.stubs,
  };
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

async function readResult(folder: string): Promise<PreparedSetup | null> {
  const text = await readFile(join(folder, RESULT_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  const now = new Date();
  await utimes(folder, now, now);
  return { folder, paths: (JSON.parse(text) as { paths: string[] }).paths };
}

/** Null when the command has succeeded. */
async function runSetup(
  machine: SandboxMachine,
  request: SetupRequest,
  work: string,
): Promise<Extract<SetupOutcome, { failed: unknown }> | null> {
  const { command, hosts, egress, signal } = request;
  const home = join(work, SETUP_FOLDERS.home);
  await mkdir(home);
  const socket = join(work, 'egress.sock');
  const gateway = await openEgressGateway(socket, { egress, hosts, maxBytes: MAX_DOWNLOAD_BYTES });
  // The program has this file's extension: TypeScript as it is, JavaScript when compiled.
  const extension = extname(import.meta.url);
  const forwarder = `${FORWARDER_IN_SANDBOX}${extension}`;
  const from = fileURLToPath(new URL(`./egress-forwarder${extension}`, import.meta.url));
  try {
    const checkout = join(work, SETUP_FOLDERS.checkout);
    const limits = { ...SETUP_LIMITS, ...request.limits };
    const environment = proxyEnvironment(`http://127.0.0.1:${PROXY_PORT}`);
    const result = await runInSandbox(
      machine,
      { checkout, command, environment, limits, signal },
      {
        setupHome: home,
        mounts: [
          { from: socket, to: PLACES.egress },
          { from, to: forwarder },
        ],
        argv: [NODE_IN_SANDBOX, forwarder, PLACES.egress, String(PROXY_PORT), command],
      },
    );
    const succeeded = result.exitCode === 0 && result.limit === null;
    return succeeded ? null : { failed: result, refusedHosts: gateway.refused };
  } finally {
    await gateway.close();
  }
}

function proxyEnvironment(proxy: string): Record<string, string> {
  const { hostname, port } = new URL(proxy);
  const java = ['http', 'https'].map((kind) => `-D${kind}.proxyHost=${hostname} -D${kind}.proxyPort=${port}`);
  return {
    ...Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, proxy]),
    ),
    NO_PROXY: 'localhost,127.0.0.1',
    JAVA_TOOL_OPTIONS: java.join(' '),
    GOTOOLCHAIN: 'local',
  };
}

/** Makes the result the server's own: readable by the sandbox's user, without set-user-ID bits. */
async function freeze({ isRoot }: SandboxMachine, work: string): Promise<void> {
  const folders = [join(work, SETUP_FOLDERS.checkout), join(work, SETUP_FOLDERS.home)];
  if (isRoot) await runHostProgram(['chown', '-hR', '0:0', '--', ...folders]);
  await runHostProgram(['chmod', '-R', 'u+rwX,a+rX,go-w,ug-s', '--', ...folders]);
}

/** Files and folders that a set-up has added, highest first. Links are left out: their target could be anywhere. */
async function findNewPaths(checkout: string, before: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  const pending = [''];
  let walked = 0;
  while (pending.length > 0) {
    const folder = pending.pop()!;
    for (const entry of await readdir(join(checkout, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isKnown = before.has(path);
      walked += 1;
      if (isKnown && entry.isDirectory()) pending.push(path);
      if (!isKnown && (entry.isDirectory() || entry.isFile())) found.push(path);
    }
    if (found.length > MAX_PATHS || walked > MAX_WALKED) {
      throw new AppError('too_large', 'sandbox_setup_too_many_paths', { params: { limit: MAX_PATHS } });
    }
  }
  return found.sort();
}

/** `a/b/c` → `a/b/c`, `a/b`, `a`. */
function withParents(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, index) => segments.slice(0, segments.length - index).join('/'));
}

/** Removes results that have not been used for longest. */
async function evictSetups(cacheDir: string): Promise<void> {
  const names = (await readdir(cacheDir)).filter((name) => /^[0-9a-f]{64}$/.test(name));
  const used = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(cacheDir, name))).mtimeMs })),
  );
  const isIdle = ({ at }: { at: number }) => Date.now() - at > IN_USE_MS;
  const outdated = used
    .sort((a, b) => b.at - a.at)
    .slice(MAX_SETUPS)
    .filter(isIdle);
  for (const { name } of outdated) {
    if ((await lstat(join(cacheDir, name))).isDirectory()) await removeSandboxFolder(join(cacheDir, name));
  }
}
