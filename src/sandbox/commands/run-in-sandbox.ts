import { chmod, mkdir, mkdtemp, readFile, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Child, ChildEnd } from '#git/child.ts';
import {
  type BubblewrapOptions,
  bubblewrapCommand,
  DESCRIPTORS,
  type Mount,
  OUTER_ID,
  PLACES,
  READY,
} from './bubblewrap.ts';
import type { RunCgroup } from './cgroups.ts';
import { collectOutput } from './command-output.ts';
import { commandEnvironment } from './environment.ts';
import type { HostFolders } from './host-folders.ts';
import { runHostProgram, startHostProgram } from './host-program.ts';
import { removeSandboxFolder } from './remove-folder.ts';
import {
  type CommandLimits,
  type CommandResult,
  DEFAULT_COMMAND_LIMITS,
  type ExceededLimit,
  type SandboxCommand,
} from './sandbox.ts';
import { setupMounts } from './setup-mounts.ts';
import { startWatchdog } from './watchdog.ts';

/** Facts about the machine that every command needs. */
export interface SandboxMachine {
  host: HostFolders;
  /** Absolute path of the file with the seccomp filter. */
  filter: string;
  isRoot: boolean;
  limitsProcesses: boolean;
  /** Shell that starts bwrap, and the descriptors that it closes before. */
  shell: { argv: string[]; inherited: number[] };
  /** Creates a cgroup with the limits; null where the server has no cgroups of its own. */
  createCgroup(limits: CommandLimits): Promise<RunCgroup | null>;
}

/** Additions of a set-up command. */
interface RunOptions {
  mounts?: Mount[];
  /** Program and arguments to execute in place of the shell. */
  argv?: string[];
  /** Absolute folder that is mounted writable at `/setup`. */
  setupHome?: string;
}

/** Times the kept output: a command that prints more is ended. */
const MAX_PRINTED_BYTES = 64 * 2 ** 20;

/** Descriptor that keeps the pipe of the output open until bwrap has it. */
const WRITER = 7;

/**
 * Starts bwrap in this process, with its output in a pipe: programs can open `/dev/stderr` again when it is one, not when it is a
 * socket. The reader is in a session of its own, so that it outlives the group and reads to the end. It opens a pipe that has a
 * writer: one that waits for a writer would wait forever for a group that was killed. `exec` makes bwrap the child of the server
 * itself, and so `--die-with-parent` ends everything with the server.
 *
 *   $0 run folder   $1 filter   $2 cgroup or ''   $3 … bwrap and its arguments
 */
const startScript = ({ shell }: SandboxMachine) => `
${shell.inherited.map((descriptor) => `exec ${descriptor}>&-`).join('\n')}
echo 1000 >/proc/self/oom_score_adj
run=$0 filter=$1 cgroup=$2
shift 2
mkfifo -m 622 "$run/output" || exit 1
exec ${WRITER}<>"$run/output"
setsid cat <"$run/output" ${WRITER}>&- &
if [ -n "$cgroup" ]; then echo $$ >"$cgroup/cgroup.procs" || exit 1; fi
exec "$@" >"$run/output" 2>&1 ${WRITER}>&- ${DESCRIPTORS.status}>"$run/status" ${DESCRIPTORS.filter}<"$filter"
`;

/** Runs a command in a sandbox of its own, and leaves nothing of it but the checkout. */
export async function runInSandbox(
  machine: SandboxMachine,
  command: SandboxCommand,
  options: RunOptions = {},
): Promise<CommandResult> {
  command.signal?.throwIfAborted();
  const limits = { ...DEFAULT_COMMAND_LIMITS, ...command.limits };
  // Beside the checkout, and so on the disk whose use is watched.
  const folder = await mkdtemp(join(dirname(command.checkout), `${basename(command.checkout)}.run-`));
  const cgroup = await machine.createCgroup(limits);
  try {
    const scratch = { tmp: join(folder, 'tmp'), home: join(folder, 'home') };
    for (const path of Object.values(scratch)) await mkdir(path);
    await chmod(scratch.tmp, 0o1777);
    const owned = [
      command.checkout,
      ...Object.values(scratch),
      ...(options.setupHome ? [options.setupHome] : []),
      ...(command.lines ? [command.lines] : []),
    ];
    if (machine.isRoot) await changeOwner(owned);
    const argv = bubblewrapCommand({
      ...machine,
      limits,
      scratch,
      mounts: [
        { from: command.checkout, to: PLACES.checkout, isWritable: true },
        ...(await setupMounts(command)),
        ...(options.setupHome ? [{ from: options.setupHome, to: PLACES.setup, isWritable: true }] : []),
        ...(command.lines ? [{ from: command.lines, to: PLACES.lines, isWritable: true }] : []),
        ...(options.mounts ?? []),
      ],
      environment: commandEnvironment(machine.host.path, {
        hasSetup: Boolean(command.setup ?? options.setupHome),
        additions: command.environment,
      }),
      argv: options.argv ?? ['/bin/sh', '-c', command.command],
    } satisfies BubblewrapOptions);
    const shell = ['setpriv', '--pdeathsig', 'KILL', '--', ...machine.shell.argv];
    const start = [...shell, '-c', startScript(machine), folder, machine.filter];
    return await supervise([...start, cgroup?.folder ?? '', ...argv], {
      folder,
      machine,
      limits,
      owned,
      cgroup,
      signal: command.signal,
    });
  } finally {
    await cgroup?.remove();
    await removeSandboxFolder(folder);
  }
}

interface Run {
  folder: string;
  machine: SandboxMachine;
  limits: CommandLimits;
  owned: string[];
  cgroup: RunCgroup | null;
  signal: AbortSignal | undefined;
}

async function supervise(argv: string[], run: Run): Promise<CommandResult> {
  const { limits, signal } = run;
  const output = collectOutput(limits.outputBytes);
  const started = performance.now();
  const child = startHostProgram(argv);
  let limit: ExceededLimit | null = null;
  /** A sandbox whose parent is killed while it is prepared outlives it; without an answer it then ends by itself. */
  const kill = () => {
    child.stdin.destroy();
    return child.kill();
  };
  const end = (exceeded: ExceededLimit) => {
    if (kill()) limit ??= exceeded;
  };
  const onAbort = () => void kill();
  const timer = setTimeout(() => end('time'), limits.wallMs);
  const stopWatchdog = startWatchdog({
    findRoot: () => readRoot(run.folder),
    folders: run.owned,
    limits,
    onExceeded: end,
  });
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  let complaints = '';
  const start = startWhenReady(child, (chunk) => {
    output.add(chunk);
    if (output.bytes > MAX_PRINTED_BYTES) end('output');
  });
  child.stderr
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-4096);
    });
  const how = await child.ended;
  clearTimeout(timer);
  stopWatchdog();
  signal?.removeEventListener('abort', onAbort);
  signal?.throwIfAborted();
  limit ??= (await run.cgroup?.wasOutOfMemory()) ? 'memory' : null;
  const text = output.toString();
  if (limit === null && !start.hasStarted) throw sandboxFailed(complaints || text, how);
  const exit = limit === null ? readExit(how) : { exitCode: null, signal: 'SIGKILL' as const };
  const ms = Math.round(performance.now() - started);
  return { ...exit, output: text, isTruncated: output.isTruncated, limit, ms };
}

/** Answers the sandbox once it is prepared, and hands over what the command prints from then on. */
function startWhenReady(child: Child, onOutput: (chunk: Buffer) => void): { readonly hasStarted: boolean } {
  const state = { hasStarted: false };
  let first = '';
  child.stdout
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      if (state.hasStarted) return onOutput(chunk);
      first += chunk.toString('latin1');
      if (!READY.startsWith(first.slice(0, READY.length))) return onOutput(chunk);
      if (first.length < READY.length) return;
      if (child.stdin.destroyed) return;
      state.hasStarted = true;
      child.stdin.end('go\n');
    });
  return state;
}

/** Gives files to the user of the sandbox; links themselves, never what they name. */
async function changeOwner(folders: string[]): Promise<void> {
  const foreign: string[] = [];
  for (const folder of folders) if ((await stat(folder)).uid !== OUTER_ID) foreign.push(folder);
  if (foreign.length === 0) return;
  const owner = `${OUTER_ID}:${OUTER_ID}`;
  const { exitCode, stderr } = await runHostProgram(['chown', '-hR', owner, '--', ...foreign]);
  if (exitCode !== 0) throw sandboxFailed(stderr, null);
}

/** The first process of the PID namespace, as the host counts; everything in it descends from that one. */
async function readRoot(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'status'), 'utf8').catch(() => '');
  const [, pid] = /"child-pid": (\d+)/.exec(text) ?? [];
  return pid === undefined ? null : Number(pid);
}

const SIGNAL_NAMES = Object.fromEntries(
  Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]),
);

function readExit(how: ChildEnd): Pick<CommandResult, 'exitCode' | 'signal'> {
  if ('error' in how) throw sandboxFailed(how.error.message, how);
  const { exitCode } = how;
  return { exitCode, signal: SIGNAL_NAMES[(exitCode ?? 0) - 128] ?? how.signal };
}

function sandboxFailed(detail: string, cause: unknown): AppError {
  const reason = 'sandbox_failed';
  return new AppError('unavailable', 'sandbox_failed', {
    params: { detail: detail.trim().slice(0, 500) },
    reason,
    cause,
  });
}
