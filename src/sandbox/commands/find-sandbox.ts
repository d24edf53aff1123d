import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, platform, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCgroups } from './cgroups.ts';
import { findHostFolders } from './host-folders.ts';
import { runHostProgram } from './host-program.ts';
import { listInheritedDescriptors } from './inherited-descriptors.ts';
import { prepareSetup } from './prepare-setup.ts';
import { runInSandbox, type SandboxMachine } from './run-in-sandbox.ts';
import type { Sandbox } from './sandbox.ts';
import { assembleFilter } from './seccomp-filter.ts';

/** Reason why a server runs no commands. `errors.sandbox_<reason>` says what to do. */
type SandboxUnavailable =
  | 'off'
  | 'public_instance'
  | 'not_enabled'
  | 'not_linux'
  | 'no_bubblewrap'
  | 'no_util_linux'
  | 'refused';

/** Settings that decide about the sandbox. */
export interface SandboxSettings {
  /** Absolute path of the folder of all data, which no command may see. */
  dataDir: string;
  /** Absolute paths of folders that are mounted read-only; their `bin` folders are on the PATH. */
  toolchains: string[];
}

/** The sandbox of this machine, or the reason why there is none, with the kernel's words in `detail`. */
export type SandboxSearch = { sandbox: Sandbox } | { unavailable: SandboxUnavailable; detail: string };

const UTIL_LINUX = ['prlimit', 'setpriv', 'setsid'];
/** Since then the kernel counts the processes of a user for each user namespace. */
const COUNTS_BY_NAMESPACE = [5, 14] as const;
const PROBE_LIMITS = { wallMs: 10_000, cpuS: 5, memoryMb: 256, processes: 64, fileMb: 16, diskMb: 16 };

/** Kernel settings that forbid user namespaces, with the value that does. */
const FORBIDDING: [path: string, value: string][] = [
  ['/proc/sys/kernel/unprivileged_userns_clone', '0'],
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['/proc/sys/user/max_user_namespaces', '0'],
];

/** Prepares a sandbox and runs a command in it, to see that this machine has all that it needs. */
export async function findSandbox(settings: SandboxSettings): Promise<SandboxSearch> {
  const architecture = arch();
  if (platform() !== 'linux' || (architecture !== 'x64' && architecture !== 'arm64')) {
    return { unavailable: 'not_linux', detail: `${platform()} ${architecture}` };
  }
  const missing = await findMissing(['bwrap', ...UTIL_LINUX]);
  if (missing.includes('bwrap')) return { unavailable: 'no_bubblewrap', detail: 'bwrap' };
  if (missing.length > 0) return { unavailable: 'no_util_linux', detail: missing.join(', ') };
  const shell = chooseShell();
  if ((await findMissing([shell.argv[0]!])).length > 0) {
    return {
      unavailable: 'refused',
      detail: `bash is needed to close descriptors ${shell.inherited.join(', ')}`,
    };
  }
  const machine = await prepareMachine(settings, assembleFilter(architecture), shell);
  const problem = await tryCommand(machine);
  if (problem !== null) return { unavailable: 'refused', detail: problem };
  return {
    sandbox: {
      run: (command) => runInSandbox(machine, command),
      prepare: (request) => prepareSetup(machine, request),
    },
  };
}

/** The shell that starts bwrap: a POSIX one closes descriptors of one digit alone. */
export function chooseShell(): SandboxMachine['shell'] {
  const inherited = listInheritedDescriptors();
  const isPosixEnough = inherited.every((descriptor) => descriptor < 10);
  return { argv: isPosixEnough ? ['sh'] : ['bash', '--norc', '--noprofile'], inherited };
}

/** Facts about this machine that every command needs; its files lie in a temporary folder until the process ends. */
export async function prepareMachine(
  settings: SandboxSettings,
  filter: Buffer,
  shell: SandboxMachine['shell'],
): Promise<SandboxMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'hindsight-sandbox-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'filter'), filter);
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const [sinceMajor, sinceMinor] = COUNTS_BY_NAMESPACE;
  return {
    host: await findHostFolders(settings, folder),
    filter: join(folder, 'filter'),
    shell,
    isRoot: process.getuid?.() === 0,
    limitsProcesses: major > sinceMajor || (major === sinceMajor && minor >= sinceMinor),
    createCgroup: await openCgroups(),
  };
}

async function findMissing(programs: string[]): Promise<string[]> {
  const test = 'for program; do command -v "$program" >/dev/null || echo "$program"; done';
  const { stdout } = await runHostProgram(['sh', '-c', test, 'sh', ...programs]);
  return stdout.split('\n').filter(Boolean);
}

/** Null when a command has run; else what was said, and the kernel setting that is the likely cause. */
async function tryCommand(machine: SandboxMachine): Promise<string | null> {
  const parent = await mkdtemp(join(tmpdir(), 'hindsight-sandbox-'));
  const checkout = await mkdtemp(join(parent, 'probe-'));
  try {
    const { exitCode, output } = await runInSandbox(machine, {
      checkout,
      command: 'echo started',
      limits: PROBE_LIMITS,
    });
    return exitCode === 0 ? null : output;
  } catch (error) {
    const said = (error as { params?: { detail?: string } }).params?.detail ?? (error as Error).message;
    const setting = FORBIDDING.find(([path, value]) => readSetting(path) === value);
    return setting === undefined ? said : `${said} (${setting[0]} is ${setting[1]})`;
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

function readSetting(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}
