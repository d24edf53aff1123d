import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Egress, Lease } from '#egress/proxy.ts';
import { parseRemote } from '#egress/remote-url.ts';
import {
  type CredentialEnvironment,
  credentialError,
  prepareCredential,
  type RemoteCredential,
} from './credentials.ts';
import { repositoryBytes } from './disk-size.ts';
import { hasOldLooseObjects, UNREFERENCED_MS } from './loose-objects.ts';
import { resolveCommit } from './refs.ts';
import { type ChildLimits, git } from './run.ts';
import { countEntries } from './tree.ts';

/** Size and time limits of a repository. */
interface RepositoryLimits {
  maxRepoMb: number;
  maxEntries: number;
  timeoutS: number;
  /** A file of certificates that are trusted in place of the system's. */
  caFile?: string | null;
}

/** Progress of a transfer. */
interface TransferProgress {
  done: number;
  total: number;
  unit: 'objects';
}

/** Options of an import or a fetch. */
export interface RemoteOptions {
  url: string;
  egress: Egress;
  limits: RepositoryLimits;
  /** Branch to follow; the upstream's default branch when absent. */
  branch?: string | null;
  /** Credential of a private repository. */
  credential?: RemoteCredential | null;
  /** Told the host's keys, lines of known_hosts, when they were seen for the first time. */
  onHostKeys?: (lines: string) => Promise<void>;
  /** Called at most four times a second. */
  onProgress?: (progress: TransferProgress) => void;
  /** Told what went over the wire, whether or not it ended well. */
  onTransfer?: (transfer: Transfer) => void;
  /** Runs what follows the transfer when it may use the processor; at once where absent. */
  inTurn?: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  signal?: AbortSignal;
}

/** Statistics of one connection to a remote. */
export interface Transfer {
  /** With its port where that is not the protocol's own. */
  host: string;
  /** Bytes. */
  sent: number;
  received: number;
  ms: number;
  done: boolean;
}

/** The upstream's default branch, and the commit it stands at. */
export interface UpstreamHead {
  branch: string;
  head: string;
}

/** One conversation with one remote: runs of git that share a lease. */
interface Remote {
  /** The upstream's default branch; throws `empty_repository` when it has no branch at all. */
  readHead(): Promise<UpstreamHead>;
  /** Fetches all branches and tags; gone ones are removed here too. */
  fetchAll(repo: string): Promise<void>;
  /** The default branch, and the head of this branch; null where there is none. */
  readBranch(branch: string): Promise<{ defaultBranch: string | null; head: string | null }>;
  /** Runs `git push`; `args` end with `--` and what to send. Failures of git are left to the caller. */
  push(repo: string, args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
}

const MEBIBYTE = 2 ** 20;
const PROGRESS_EVERY_MS = 250;
/** For the list of branches, which an honest server sends in seconds. */
const LIST_TIMEOUT_S = 60;
const MAX_LIST_BYTES = 10 * MEBIBYTE;

/** Opens a lease for a remote, hands it to `use` and releases it. Failures of the proxy explain those of git. */
export async function withRemote<T>(options: RemoteOptions, use: (remote: Remote) => Promise<T>): Promise<T> {
  const { credential = null } = options;
  const address = parseRemote(options.url, { ssh: credential?.kind === 'ssh' });
  const href = await options.egress.check(address);
  if (address.protocol === 'file:')
    return await use(createRemote(createGitRunner(href, LOCAL_ACCESS, options), options, null));
  const lease = options.egress.lease({
    host: address.host,
    port: address.port,
    protocol: address.protocol,
    maxBytes: options.limits.maxRepoMb * MEBIBYTE,
  });
  let unlocked: CredentialEnvironment | null = null;
  const began = performance.now();
  let done = false;
  try {
    unlocked = await prepareCredential(credential, { address, lease, caFile: options.limits.caFile });
    const config = { 'http.proxy': lease.proxyUrl, ...unlocked.config };
    const env = { ...lease.env, ...unlocked.env };
    const result = await use(createRemote(createGitRunner(href, { config, env }, options), options, lease));
    const lines = await unlocked.newHostKeys();
    if (lines !== null) await options.onHostKeys?.(lines);
    done = true;
    return result;
  } catch (error) {
    throw lease.failure ?? (credential === null ? error : credentialError(error));
  } finally {
    await unlocked?.close();
    lease.release();
    const { sent, received } = lease;
    const ms = Math.round(performance.now() - began);
    options.onTransfer?.({ host: new URL(address.href).host, sent, received, ms, done });
  }
}

/** Runs what follows a transfer when its turn has come. */
export async function runInTurn<T>(options: RemoteOptions, work: () => Promise<T>): Promise<T> {
  return await (options.inTurn ? options.inTurn(work, options.signal) : work());
}

/** Limits of the children that write a repository. */
function writeLimits(limits: RepositoryLimits): ChildLimits {
  return { memory: 4096 * MEBIBYTE, fileSize: limits.maxRepoMb * MEBIBYTE, cpuS: limits.timeoutS };
}

/**
 * Finishes every transfer: refuses a repository with more entries than allowed, points HEAD at the default
 * branch, packs and indexes. Returns where the branch stands now, which may be past what was announced.
 */
export async function finishTransfer(
  repo: string,
  branch: string,
  { limits, signal }: RemoteOptions,
): Promise<UpstreamHead> {
  const head = await resolveCommit(repo, `refs/remotes/origin/${branch}`);
  if (head === null) {
    throw new AppError('unavailable', 'upstream_branch_gone', {
      params: { branch },
      reason: 'branch_deleted',
    });
  }
  await countEntries(repo, head, { max: limits.maxEntries, signal });
  const steps: [string, string[]][] = [
    ['symbolic-ref', ['symbolic-ref', 'HEAD', `refs/remotes/origin/${branch}`]],
    ['pack-refs', ['pack-refs', '--all']],
    ['repack', ['repack', '-q', '--geometric=2', '-d']],
    ['commit-graph', ['commit-graph', 'write', '--reachable', '--no-progress']],
  ];
  // Before the loose objects are packed: what no ref reaches would be packed with them and stay.
  if (await hasOldLooseObjects(repo)) {
    const age = `${UNREFERENCED_MS / 3600_000}.hours.ago`;
    steps.splice(1, 0, ['prune', ['prune', `--expire=${age}`]]);
  }
  for (const [name, args] of steps) await runMaintenance(repo, name, args, { limits, signal });
  return { branch, head };
}

/**
 * Adds to git's own index of the commits which paths each of them changed, so that `git log -- path` passes over the
 * others. It takes longer than reading the whole history, and only git's answers about single files are faster by it:
 * so not before a project is searchable. Later transfers keep it up by themselves; where it is there nothing is done.
 */
export async function indexChangedPaths(
  repo: string,
  options: Pick<RemoteOptions, 'limits' | 'signal'>,
): Promise<void> {
  if (await hasChangedPaths(repo)) return;
  const args = ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'];
  await runMaintenance(repo, 'commit-graph', args, options);
}

/** Its chunks are named at the beginning of the file; see git's `gitformat-commit-graph`. */
const CHUNK_NAMES = 256;

async function hasChangedPaths(repo: string): Promise<boolean> {
  const file = await open(join(repo, 'objects/info/commit-graph')).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_NAMES), 0, CHUNK_NAMES, 0);
    return buffer.subarray(0, bytesRead).includes('BDAT');
  } finally {
    await file.close();
  }
}

async function runMaintenance(
  repo: string,
  name: string,
  args: string[],
  { limits, signal }: Pick<RemoteOptions, 'limits' | 'signal'>,
): Promise<void> {
  const timeoutMs = limits.timeoutS * 1000;
  await git(repo, args, { name, limits: writeLimits(limits), timeoutMs, signal });
}

type RunGit = (
  repo: string | null,
  args: string[],
  options?: {
    onStderr?: ((text: string) => void) | undefined;
    timeoutS?: number;
    maxOutput?: number;
    ok?: number[];
  },
) => ReturnType<typeof git>;

/** Environment and configuration by which git reaches a remote. */
interface RemoteAccess {
  config: Record<string, string>;
  env: Record<string, string>;
}

/** No way out: git reads a folder of this machine by itself. */
const LOCAL_ACCESS: RemoteAccess = {
  config: { 'protocol.file.allow': 'always' },
  env: { GIT_ALLOW_PROTOCOL: 'file' },
};

function createRemote(talk: RunGit, options: RemoteOptions, lease: Lease | null): Remote {
  return {
    async readHead() {
      lease?.limit({ maxBytes: MAX_LIST_BYTES, tooLarge: { key: 'ref_list_too_large' } });
      return await readHead(talk);
    },
    async fetchAll(repo) {
      // What is here already counts: an upstream that is rewritten again and again must not fill the disk.
      const room = options.limits.maxRepoMb * MEBIBYTE - (await repositoryBytes(repo));
      const size = options.limits.maxRepoMb;
      const tooLarge = { key: 'repository_larger_than', params: { size } } as const;
      lease?.limit({ maxBytes: Math.max(room, MEBIBYTE), tooLarge });
      await fetchAll(talk, repo, options);
    },
    async readBranch(branch) {
      lease?.limit({ maxBytes: MAX_LIST_BYTES, tooLarge: { key: 'ref_list_too_large' } });
      return await readBranch(talk, `refs/heads/${branch}`);
    },
    async push(repo, args) {
      lease?.limit({ maxBytes: MAX_LIST_BYTES, tooLarge: { key: 'ref_list_too_large' } });
      const { exitCode, stdout, stderr } = await talk(repo, args, { ok: [0, 1, 128] });
      // The proxy's own reason is more precise than what git makes of a closed connection.
      if (exitCode !== 0 && lease?.failure) throw lease.failure;
      return { exitCode, stdout: stdout.toString(), stderr };
    },
  };
}

/** All children of a conversation share its time. */
function createGitRunner(
  href: string,
  { config, env }: RemoteAccess,
  { limits, signal }: RemoteOptions,
): RunGit {
  const ends = performance.now() + limits.timeoutS * 1000;
  return (repo, [command, ...args], { onStderr, timeoutS = limits.timeoutS, maxOutput, ok } = {}) => {
    const split = args.indexOf('--');
    return git(repo, [command!, ...args.slice(0, split + 1), href, ...args.slice(split + 1)], {
      name: command!,
      config,
      env,
      limits: writeLimits(limits),
      timeoutMs: Math.max(1, Math.min(timeoutS * 1000, ends - performance.now())),
      signal,
      ...(onStderr && { onStderr }),
      ...(maxOutput !== undefined && { maxOutput }),
      ...(ok && { ok }),
    });
  };
}

/**
 * `ls-remote --symref` prints `ref: refs/heads/main<TAB>HEAD` when HEAD names a branch, then `oid<TAB>ref` lines.
 * Its patterns match the ends of names too, so the exact ones are picked here.
 */
async function readHead(talk: RunGit): Promise<UpstreamHead> {
  const { stdout } = await talk(null, ['ls-remote', '--symref', '-q', '--', 'HEAD', 'refs/heads/*'], {
    timeoutS: LIST_TIMEOUT_S,
    maxOutput: MAX_LIST_BYTES,
  });
  const branches = new Map<string, string>();
  let symbolic: string | undefined;
  let detached: string | undefined;
  for (const line of stdout.toString().split('\n')) {
    const [left = '', ref = ''] = line.split('\t');
    if (ref === 'HEAD' && left.startsWith('ref: refs/heads/')) {
      symbolic = left.slice('ref: refs/heads/'.length);
    } else if (ref === 'HEAD') {
      detached = left;
    } else if (ref.startsWith('refs/heads/')) {
      branches.set(ref.slice('refs/heads/'.length), left);
    }
  }
  const names = [symbolic, 'main', 'master', ...branches.keys()];
  const atHead = [...branches].filter(([, oid]) => oid === detached).map(([name]) => name);
  const candidates =
    symbolic === undefined ? [...names.filter((name) => atHead.includes(name!)), ...names] : names;
  const branch = candidates.find((name) => name !== undefined && branches.has(name));
  if (branch === undefined) {
    throw new AppError('bad_request', 'empty_repository', {
      reason: 'empty_repository',
    });
  }
  return { branch, head: branches.get(branch)! };
}

async function readBranch(talk: RunGit, ref: string) {
  const { stdout } = await talk(null, ['ls-remote', '--symref', '-q', '--', 'HEAD', ref], {
    timeoutS: LIST_TIMEOUT_S,
    maxOutput: MAX_LIST_BYTES,
  });
  const lines = stdout
    .toString()
    .split('\n')
    .map((line) => line.split('\t'));
  const [symbolic] =
    lines.find(([left, name]) => name === 'HEAD' && left!.startsWith('ref: refs/heads/')) ?? [];
  return {
    defaultBranch: symbolic?.slice('ref: refs/heads/'.length) ?? null,
    head: lines.find(([, name]) => name === ref)?.[0] ?? null,
  };
}

/** `--update-shallow`: git would leave out in silence what an upstream holds whose own history is cut off. */
async function fetchAll(talk: RunGit, repo: string, { onProgress }: RemoteOptions): Promise<void> {
  await talk(
    repo,
    [
      'fetch',
      '--progress',
      '--no-tags',
      '--prune',
      '--update-shallow',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--refmap=',
      '--',
      '+refs/heads/*:refs/remotes/origin/*',
      '+refs/tags/*:refs/tags/*',
    ],
    { onStderr: onProgress && readProgress(onProgress) },
  );
}

/** Reads `Receiving objects:  45% (123/456)` off git's stderr, where lines end with a carriage return. */
function readProgress(onProgress: (progress: TransferProgress) => void): (text: string) => void {
  let rest = '';
  let last = Number.NEGATIVE_INFINITY;
  return (text) => {
    const lines = (rest + text).split(/[\r\n]/);
    rest = lines.pop()!.slice(-1000);
    const counts = lines
      .map((line) => /^Receiving objects: +\d+% \((\d+)\/(\d+)\)/.exec(line))
      .findLast(Boolean);
    const [done, total] = [Number(counts?.[1]), Number(counts?.[2])];
    if (counts && (done === total || performance.now() - last >= PROGRESS_EVERY_MS)) {
      last = performance.now();
      onProgress({ done, total, unit: 'objects' });
    }
  };
}
