import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { killGroup } from '#git/child.ts';
import { assertOid, git } from '#git/run.ts';
import { type CommandEnd, classifyRun } from '#proof/classify-run.ts';
import { countExecutedLines } from '#proof/executed-lines/count-lines.ts';
import { type ExecutedLines, readRecording } from '#proof/executed-lines/read-lines.ts';
import { prepareRecording, recordingCommand } from '#proof/executed-lines/record-lines.ts';
import type { CommandRunner } from '#proof/runner.ts';

interface WorktreeOptions {
  /** Absolute path of the git directory. */
  repo: string;
  /** Full hash of the first revision. */
  commit: string;
  /** Runs in every checkout before the command. */
  setup: string | null;
  /** Files and folders of the user that are added to every checkout, relative to the root of the repository. */
  additions: readonly { path: string; from: string }[];
  timeoutMs: number;
}

/** A temporary worktree in which a command runs, one revision after the other. */
export interface BisectWorktree {
  runner: CommandRunner;
  /** Failure that counts; every failure while null. */
  expected: string | null;
  /** Removes the worktree, and the entry of it in the repository. */
  remove(): Promise<void>;
}

const MAX_OUTPUT = 400_000;
const CHECKOUT_TIMEOUT_MS = 600_000;
/** Bytecode of a revision would be taken for the next one's, if both are written in the same second. */
const ENVIRONMENT = ['env', 'PYTHONDONTWRITEBYTECODE=1'];

/**
 * Adds a detached worktree in a temporary folder; the checkout of the user and its branches are not touched. Ignored files stay from
 * one revision to the next, so that builds are incremental. The end of the process removes it too.
 */
export async function openBisectWorktree(options: WorktreeOptions): Promise<BisectWorktree> {
  const { repo, commit } = options;
  const parent = await mkdtemp(join(tmpdir(), 'hindsight-bisect-'));
  const folder = join(parent, basename(parent));
  const entry = join(await findCommonFolder(repo), 'worktrees', basename(folder));
  let running: number | undefined;
  const removeNow = () => {
    killGroup(running);
    for (const path of [parent, entry]) rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', removeNow);
  const remove = async () => {
    process.off('exit', removeNow);
    for (const path of [parent, entry]) await rm(path, { recursive: true, force: true });
  };
  try {
    await runGit(repo, ['worktree', 'add', '--quiet', '--detach', folder, assertOid(commit)]);
  } catch (error) {
    await remove();
    throw error;
  }
  const worktree: BisectWorktree = {
    expected: null,
    remove,
    runner: async ({ commit: revision, command, patch, recordsLines }, signal) => {
      await checkOutRevision({ entry, folder }, { revision, patch }, options.additions);
      const recording = recordsLines ? await mkdtemp(join(parent, 'lines-')) : null;
      if (recording !== null) await prepareRecording(recording);
      const run = recording === null ? command : recordingCommand(command, recording);
      const line = options.setup === null ? run : `( ${options.setup}\n) || exit 125\n${run}`;
      const { timeoutMs } = options;
      const end = await runCommandLine(line, {
        folder,
        timeoutMs,
        signal,
        onStart: (pid) => (running = pid),
      });
      running = undefined;
      signal.throwIfAborted();
      const report = classifyRun(end, worktree.expected);
      if (recording === null) return report;
      const executed = await readLines(recording, folder);
      return { ...report, lines: await countExecutedLines(repo, executed, { commit: revision, signal }) };
    },
  };
  return worktree;
}

/** Reads and removes a recording of a run in a folder. */
async function readLines(recording: string, folder: string): Promise<ExecutedLines> {
  const root = await realpath(folder);
  const readSource = (path: string) => readFile(join(root, path), 'utf8').catch(() => null);
  const executed = await readRecording(recording, { root, readSource });
  await rm(recording, { recursive: true, force: true });
  return executed;
}

/** The git directory that all worktrees of a repository share. */
async function findCommonFolder(repo: string): Promise<string> {
  const { stdout } = await runGit(repo, ['rev-parse', '--git-common-dir']);
  return resolve(repo, stdout.toString().trim());
}

interface Checkout {
  /** Git directory of the worktree. */
  entry: string;
  folder: string;
}

function runGit(repo: string, args: string[], env: Record<string, string> = {}, input = '') {
  // Real symbolic links and an ordinary checkout: it is the user's own repository.
  const config = { 'core.symlinks': 'true', 'core.fsync': 'none' };
  return git(repo, args, { name: args[0]!, env, config, input, timeoutMs: CHECKOUT_TIMEOUT_MS });
}

async function checkOutRevision(
  { entry, folder }: Checkout,
  { revision, patch }: { revision: string; patch: string | null },
  additions: WorktreeOptions['additions'],
): Promise<void> {
  const env = { GIT_WORK_TREE: folder };
  await runGit(entry, ['reset', '--quiet', '--hard', assertOid(revision)], env);
  if (patch !== null) {
    // In the index alone: outside of the worktree `apply` would write files here.
    await runGit(entry, ['apply', '--cached', '--recount', '--whitespace=nowarn', '-'], env, patch);
    await runGit(entry, ['checkout-index', '--all', '--force'], env);
  }
  await runGit(entry, ['clean', '--quiet', '-ffd'], env);
  for (const { path, from } of additions) {
    const to = join(folder, path);
    await rm(to, { recursive: true, force: true });
    await mkdir(dirname(to), { recursive: true });
    const isFolder = (await stat(from)).isDirectory();
    await (isFolder ? symlink(from, to) : cp(from, to));
  }
}

interface CommandLineOptions {
  folder: string;
  timeoutMs: number;
  signal: AbortSignal;
  onStart(pid: number | undefined): void;
}

/** Runs a command line with the user's environment, as leader of a process group that ends with it. */
async function runCommandLine(
  line: string,
  { folder, timeoutMs, signal, onStart }: CommandLineOptions,
): Promise<CommandEnd> {
  const began = performance.now();
  const [program, ...args] = [...ENVIRONMENT, 'sh', '-c', line];
  const child = spawn(program!, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  onStart(child.pid);
  let output = '';
  const collect = (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT);
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  let limit: 'time' | null = null;
  const timer = setTimeout(() => {
    limit = 'time';
    killGroup(child.pid);
  }, timeoutMs);
  const stop = () => killGroup(child.pid);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  // What the command left running would hold its output open.
  child.once('exit', stop);
  try {
    const [exitCode, killedBy] = await new Promise<[number | null, string | null]>((done, fail) => {
      child.once('error', fail);
      child.once('close', (code, name) => done([code, name]));
    });
    return { exitCode, signal: killedBy, limit, output, ms: Math.round(performance.now() - began) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The root of the checkout that a folder lies in: the nearest one with `.git`. */
function findWorktreeRoot(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || at === dirname(at)) return at;
  }
}

/** Resolves files that are added to every checkout. Throws `bad_request` for one that is absent or outside the repository. */
export async function resolveAdditions(
  folder: string,
  paths: readonly string[],
): Promise<{ path: string; from: string }[]> {
  const root = findWorktreeRoot(folder);
  return await Promise.all(
    paths.map(async (path) => {
      const from = resolve(folder, path);
      const relative = from.slice(root.length + 1);
      const isInside = from.startsWith(`${root}/`) && !/^\.git(?:\/|$)/i.test(relative);
      const exists = await stat(from).then(
        () => true,
        () => false,
      );
      if (!isInside || !exists)
        throw new AppError('bad_request', 'bisect_addition_missing', { params: { path } });
      return { path: relative, from };
    }),
  );
}
