import { existsSync } from 'node:fs';
import type { HostFolders } from './host-folders.ts';
import type { CommandLimits } from './sandbox.ts';

/** Folders and files of a sandbox that the server provides. */
export const PLACES = {
  checkout: '/checkout',
  home: '/home/sandbox',
  /** Caches of package managers, filled by a set-up command and read-only afterwards. */
  setup: '/setup',
  /** Recording of the lines that a command executes. */
  lines: '/run/hindsight/lines',
  /** Socket to the outside of a set-up command. */
  egress: '/run/hindsight/egress.sock',
} as const;

/** User and group inside a sandbox. */
const INNER_ID = '1000';

/**
 * User and group outside when the server runs as root: a number that no user has (between the ranges that systemd and Debian
 * give away). The kernel exempts root from the limit on processes, and owns `/proc/sys` to it.
 */
export const OUTER_ID = 60_900;

/** A folder or file of the host at a place of the sandbox. */
export interface Mount {
  from: string;
  to: string;
  isWritable?: boolean;
}

/** Parameters of the command line. */
export interface BubblewrapOptions {
  host: HostFolders;
  /** Writable folders of the host for `/tmp` and for the home folder. */
  scratch: { tmp: string; home: string };
  /** Mounted last and in this order. */
  mounts: Mount[];
  environment: Record<string, string>;
  limits: CommandLimits;
  /** True when the server runs as root. */
  isRoot: boolean;
  /** Sets the limit on processes; kernels before 5.14 count those of the user outside as well. */
  limitsProcesses: boolean;
  /** Program and arguments. */
  argv: string[];
}

/** Descriptors that `run-in-sandbox` opens: for what bwrap reports as JSON, and the filter. */
export const DESCRIPTORS = { status: 8, filter: 9 } as const;

/** Printed inside when everything is prepared; the command starts when it is answered. */
export const READY = 'ready\n';
/**
 * Waits for the answer. bwrap asks the kernel for its death with its parent a moment after it has started: a server that dies in
 * that moment never answers, and the end of the input ends the sandbox.
 */
const WAIT = ['/bin/sh', '-c', 'echo ready; read -r answer || exit 125; exec "$@" </dev/null', 'sh'];

const SHARED_MEMORY_BYTES = 64 * 2 ** 20;
/** Files of `/proc` that tell of the machine or of other users; each becomes `/dev/null`. */
const MASKED = ['/proc/kcore', '/proc/keys', '/proc/key-users', '/proc/timer_list', '/proc/cmdline'];

/**
 * The command line of the sandbox.
 *
 * As an ordinary user: one bwrap with all namespaces. As root: an outer bwrap mounts, for root alone reaches folders that only
 * root may read; then the user changes to one without any right outside, and an inner bwrap adds the user namespace and the
 * filter. In both cases the command has no capability in any namespace.
 *
 *   user   bwrap( mounts, namespaces, user namespace, filter ) → prlimit → command
 *   root   bwrap( mounts, namespaces ) → setpriv → bwrap( user namespace, filter ) → prlimit → command
 */
export function bubblewrapCommand(options: BubblewrapOptions): string[] {
  const { isRoot, environment, limits, limitsProcesses, argv } = options;
  const variables = Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]);
  const confined = [
    ...['--unshare-user', '--uid', INNER_ID, '--gid', INNER_ID],
    ...['--seccomp', String(DESCRIPTORS.filter), '--clearenv', ...variables, '--chdir', PLACES.checkout],
  ];
  const command = [...resourceLimits(limits, limitsProcesses), ...WAIT, ...argv];
  const namespaces = [
    ...['bwrap', '--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-net', '--unshare-cgroup-try', '--hostname', 'sandbox'],
    ...['--json-status-fd', String(DESCRIPTORS.status)],
  ];
  if (!isRoot) return [...namespaces, ...confined, ...mountArguments(options), '--', ...command];
  return [
    ...[...namespaces, '--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'],
    ...['--cap-add', 'CAP_SETPCAP', ...mountArguments(options), '--'],
    ...['setpriv', `--reuid=${OUTER_ID}`, `--regid=${OUTER_ID}`, '--clear-groups'],
    ...['--inh-caps=-all', '--bounding-set=-all', '--'],
    ...['bwrap', '--die-with-parent'],
    ...[...confined, '--dev-bind', '/', '/', '--', ...command],
  ];
}

function mountArguments({ host, scratch, mounts }: BubblewrapOptions): string[] {
  return [
    ...folderArguments([PLACES.home]),
    // First, for a toolchain may lie below either.
    ...['--bind', scratch.tmp, '/tmp', '--bind', scratch.home, PLACES.home],
    ...folderArguments([...host.folders, ...mounts.map(({ to }) => to)]),
    ...host.mounts,
    ...['--proc', '/proc', ...MASKED.filter(existsSync).flatMap((path) => ['--ro-bind', '/dev/null', path])],
    ...['--dev', '/dev', '--size', String(SHARED_MEMORY_BYTES), '--perms', '1777', '--tmpfs', '/dev/shm'],
    ...host.hidden.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    ...mounts.flatMap(({ from, to, isWritable }) => [isWritable ? '--bind' : '--ro-bind', from, to]),
    // The roots of both are in memory, which no limit on files counts.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
  ];
}

/** Makes the folders on the way to mount points, which bwrap would close to all but its own user. */
function folderArguments(places: string[]): string[] {
  const folders = new Set(places.flatMap(parents));
  return [...folders].sort().flatMap((folder) => ['--perms', '0755', '--dir', folder]);
}

/** `/a/b/c` → `/a`, `/a/b`. What lies in a mounted folder exists, or can't be made. */
function parents(place: string): string[] {
  const segments = place.split('/').slice(1, -1);
  const all = segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
  return all.filter((folder) => !/^\/(?:usr|proc|dev|sys|bin|sbin|lib\w*|checkout)(?:\/|$)/.test(folder));
}

/** Limits of each process; the watchdog knows those of all together. */
function resourceLimits(limits: CommandLimits, limitsProcesses: boolean): string[] {
  return [
    ...['prlimit', '--core=0', '--nofile=4096', `--fsize=${limits.fileMb * 2 ** 20}`],
    `--cpu=${limits.cpuS}:${limits.cpuS + 1}`,
    // Far above the watchdog's, which so sees a command that takes too many before a fork fails for a reason unknown.
    ...(limitsProcesses ? [`--nproc=${limits.processes * 4}`] : []),
    '--',
  ];
}
