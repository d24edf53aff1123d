import { channel } from 'node:diagnostics_channel';
import { AppError } from '#contract/errors.ts';
import { type Child, startChild } from './child.ts';
import { confinement } from './confinement.ts';
import { emptyHome, gitEnvironment } from './environment.ts';
import { abortCause, gitFailure } from './failure.ts';
import { startBySpawner } from './spawner.ts';

/** Resource limits of one git process. */
export interface ChildLimits {
  /** Bytes of memory, without mapped packs and their indexes. */
  memory: number;
  /** Bytes of the largest file that it may write. */
  fileSize: number;
  /** Seconds of processor time. */
  cpuS: number;
  /** Priority to give way to other processes with, 0 to 19; that of the server when absent. */
  niceness?: number;
}

/** Options of one run of git. */
export interface RunOptions {
  /** Name of the command in errors. */
  name: string;
  /** Commits, trees and refs, put behind `args` after a check that none can be taken for an option. */
  revisions?: string[];
  /** Literal paths inside the repository, put behind `--`. */
  paths?: string[];
  /** Exit codes that the caller understands; [0] when absent. */
  ok?: number[];
  /** Written to git and closed. `startGit` alone leaves the pipe open without it. */
  input?: Buffer | string;
  signal?: AbortSignal;
  /** Milliseconds of wall time; a minute when absent. */
  timeoutMs?: number;
  /** Milliseconds within which a stream must go on: what is slow to use it does not count. No limit when absent. */
  stallMs?: number;
  /** The same for the first output; `stallMs` when absent. */
  startMs?: number;
  /** Additions to the environment; everything else is fixed. */
  env?: Record<string, string>;
  /** Additions to the configuration, such as the proxy of a lease. */
  config?: Record<string, string>;
  limits?: Partial<ChildLimits>;
  onStderr?: (text: string) => void;
}

/** Result of a run. */
interface RunResult {
  exitCode: number;
  stdout: Buffer;
  stderr: string;
}

/** A started git child. `end` resolves once it is gone and never rejects. */
export interface GitProcess {
  child: Child;
  /** Kills the whole process group: git's own children outlive it otherwise. */
  kill(why: 'timed_out' | 'stopped' | 'output_too_large' | 'stalled' | 'done'): void;
  /** The exit code when it is one of `ok` or we were done with it, else the error for people. */
  end: Promise<{ exitCode: number; stderr: string } | AppError>;
}

const MEBIBYTE = 2 ** 20;
const DEFAULT_LIMITS: ChildLimits = { memory: 1024 * MEBIBYTE, fileSize: 1024 * MEBIBYTE, cpuS: 3600 };
const MAX_COLLECTED = 64 * MEBIBYTE;
const MAX_STDERR = 64 * 1024;

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const REVISION = /^\^?[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\^\{(?:commit|tree)\})?$/;
// The rules of check-ref-format, and no leading `-`, which would make an option of it.
const REF =
  /^(?!-|@$)(?!\/|.*(?:\.\.|@\{|\/\/|(?:\/|^)\.|\.lock(?:\/|$)|[/.]$))[^\p{Cc} ~^:?*[\\]{1,250}(?:\^\{commit\})?$/u;

const running = new Set<GitProcess>();

/** Diagnostics channel that publishes the command line of every git process before it starts. */
const gitChannel = channel('hindsight:git');

process.once('exit', killAllGit);

/** Kills every git child of this thread with all that it started. */
export function killAllGit(): void {
  for (const child of running) {
    child.kill('stopped');
  }
}

/** Throws unless this is a full object name: an empty or short one would shift arguments. */
export function assertOid(oid: string): string {
  if (!OID.test(oid)) {
    throw new AppError('bad_request', 'bad_object_id', { reason: 'invalid_object_id' });
  }
  return oid;
}

/** True when git accepts this as a ref name, and as nothing else. */
export function isRefName(ref: string): boolean {
  return REF.test(ref);
}

/** True for a valid path of a file in a repository: relative, no `..`, no NUL. */
export function isRepositoryPath(path: string): boolean {
  return (
    path !== '' && !path.includes('\0') && path.split('/').every((part) => !['', '.', '..'].includes(part))
  );
}

/** Starts git: the only place that does. `repo` is the absolute path of a bare repository, or null. */
export function startGit(repo: string | null, args: string[], options: RunOptions): GitProcess {
  if (options.signal?.aborted) {
    const killed = abortCause(options.signal);
    throw gitFailure({ name: options.name, exitCode: null, signal: null, stderr: '', killed });
  }
  const { memory, fileSize, cpuS, niceness } = { ...DEFAULT_LIMITS, ...options.limits };
  const argv = [
    ...confinement({ data: memory, fileSize, cpuS, niceness }),
    'git',
    ...argumentsOf(args, options),
  ];
  const env = gitEnvironment(repo, options.config ?? {}, options.env ?? {});
  const command = { argv, env, cwd: emptyHome() };
  gitChannel.publish({ argv });
  return supervise(startBySpawner(command) ?? startChild(command), options);
}

/** Runs git and collects what it prints, at most `maxOutput` bytes. Throws an AppError on an unexpected end. */
export async function git(
  repo: string | null,
  args: string[],
  options: RunOptions & { maxOutput?: number },
): Promise<RunResult> {
  const run = startGit(repo, args, { input: '', ...options });
  const chunks: Buffer[] = [];
  const most = options.maxOutput ?? MAX_COLLECTED;
  let bytes = 0;
  run.child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) {
      run.kill('output_too_large');
    } else {
      chunks.push(chunk);
    }
  });
  const end = await run.end;
  if (end instanceof AppError) {
    throw end;
  }
  if (bytes > most) {
    // git had ended before we read all that it printed, so there was nothing left to kill.
    const { exitCode, stderr } = end;
    throw gitFailure({ name: options.name, exitCode, signal: null, stderr, killed: 'output_too_large' });
  }
  return { ...end, stdout: Buffer.concat(chunks) };
}

/** Runs git and hands over what it prints as it comes; git waits for the reader. Leaving the loop ends git. */
export async function* gitStream(
  repo: string | null,
  args: string[],
  options: RunOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const run = startGit(repo, args, { input: '', ...options });
  const { stallMs, startMs = stallMs } = options;
  const watch = (ms: number | undefined) =>
    ms === undefined ? undefined : setTimeout(() => run.kill('stalled'), ms);
  let timer = watch(startMs);
  try {
    for await (const chunk of run.child.stdout) {
      clearTimeout(timer);
      yield chunk;
      timer = watch(stallMs);
    }
    const end = await run.end;
    if (end instanceof AppError) {
      throw end;
    }
  } finally {
    clearTimeout(timer);
    run.kill('done');
  }
}

function argumentsOf(args: string[], options: RunOptions): string[] {
  const { revisions = [], paths } = options;
  if (args.some((text) => text.includes('\0'))) {
    throw new AppError('bad_request', 'bad_git_argument', {
      reason: 'invalid_argument',
    });
  }
  for (const revision of revisions) {
    if (!REVISION.test(revision) && !REF.test(revision)) {
      throw new AppError('bad_request', 'bad_ref_name', { reason: 'invalid_ref_name' });
    }
  }
  if (paths && !paths.every(isRepositoryPath)) {
    throw new AppError('bad_request', 'path_outside_repository', { reason: 'invalid_path' });
  }
  return [...args, ...revisions, ...(paths ? ['--', ...paths] : [])];
}

function supervise(child: Child, options: RunOptions): GitProcess {
  let killed: 'timed_out' | 'stalled' | 'stopped' | 'output_too_large' | 'done' | null = null;
  let stderr = '';
  const killGroup = (why: typeof killed) => {
    if (child.kill()) {
      killed ??= why;
    }
  };
  // The child keeps this thread alive, unless it is idle.
  const timer = setTimeout(() => killGroup('timed_out'), options.timeoutMs ?? 60_000).unref();
  const onAbort = () => killGroup(options.signal ? abortCause(options.signal) : 'stopped');
  options.signal?.addEventListener('abort', onAbort);

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR);
    options.onStderr?.(text);
  });
  // git may end before it has read everything; its exit code says why.
  child.stdin.on('error', () => {});
  if (options.input !== undefined) {
    child.stdin.end(options.input);
  }

  const end = child.ended.then((how) => {
    if ('error' in how) {
      const stderr = how.error.message;
      return gitFailure({ name: options.name, exitCode: null, signal: null, stderr, killed: null });
    }
    const { exitCode, signal } = how;
    if (killed === 'done') {
      return { exitCode: exitCode ?? 0, stderr };
    }
    if (killed === null && exitCode !== null && (options.ok ?? [0]).includes(exitCode)) {
      return { exitCode, stderr };
    }
    return gitFailure({ name: options.name, exitCode, signal, stderr, killed });
  });
  const run: GitProcess = { child, kill: killGroup, end };
  running.add(run);
  void end.then(() => {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
    running.delete(run);
  });
  return run;
}
