import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '#git/child.ts';
import { confinement } from '#git/confinement.ts';
import { emptyHome } from '#git/environment.ts';
import { startBySpawner } from '#git/spawner.ts';

/** Bounds of one child process. The kernel holds it to them, except for `heapMb`, which V8 does. */
export interface ProcessLimits {
  /** MiB of JavaScript objects. */
  heapMb: number;
  /** MiB of all writable memory, the heap included, beyond what Node reserves at its start. */
  memoryMb: number;
  /** Seconds of processor time over the life of the process. */
  cpuS: number;
  /** Bytes of the largest file that it may write; 0 forbids more than that: see `startProcess`. */
  fileBytes: number;
  /** MiB of one half of the nursery; 2 when absent. A larger one saves time where most objects live for a while. */
  nurseryMb?: number;
  /**
   * Compiles every function on its first call, and starts with the whole nursery: a large program that runs for seconds takes two
   * thirds of the time.
   */
  compilesEarly?: boolean;
  /** Priority to give way to other processes with, 0 to 19; that of the server when absent. */
  niceness?: number;
}

/**
 * MiB that Node 24 counts as data right after its start, 512 of them room for compiled code that is reserved and not
 * used: a lower RLIMIT_DATA keeps it from starting. RLIMIT_AS can't be used, for V8 reserves a hundred times as much.
 */
const NODE_RESERVED_MB = 576;
/** Short-lived objects are many here: a small nursery costs no time and saves 100 MB. */
const SEMI_SPACE_MB = 2;
const MEBIBYTE = 2 ** 20;
/** Its name before Node 22.13, on which the command line may run. */
const PERMISSION_FLAG = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/**
 * Starts a program of ours in a process of its own: no environment, an empty folder to work in, no sockets but its standard
 * streams, and limits. One that may write no files may also read none but the program's, and start neither processes nor threads.
 */
export function startProcess(program: URL, limits: ProcessLimits): Child {
  const { heapMb, memoryMb, cpuS, fileBytes, nurseryMb = SEMI_SPACE_MB, niceness } = limits;
  const early = ['--always-sparkplug', '--no-lazy-feedback-allocation', `--min-semi-space-size=${nurseryMb}`];
  const data = (NODE_RESERVED_MB + memoryMb) * MEBIBYTE;
  const command = {
    argv: [
      ...confinement({ data, fileSize: fileBytes, cpuS, niceness }),
      process.execPath,
      `--max-old-space-size=${heapMb}`,
      `--max-semi-space-size=${nurseryMb}`,
      ...(limits.compilesEarly ? early : []),
      ...(fileBytes === 0
        ? [PERMISSION_FLAG, ...readableFolders().map((path) => `--allow-fs-read=${path}`)]
        : []),
      fileURLToPath(program),
    ],
    env: {},
    cwd: emptyHome(),
  };
  return startBySpawner(command) ?? startChild(command);
}

let readable: string[] | undefined;

/** This package and the packages that it can import. */
function readableFolders(): string[] {
  readable ??= [
    fileURLToPath(new URL('../', import.meta.url)),
    fileURLToPath(new URL('../../package.json', import.meta.url)),
    ...(createRequire(import.meta.url).resolve.paths('any-package') ?? []),
  ].flatMap((path) => (existsSync(path) ? [...new Set([path, realpathSync(path)])] : []));
  return readable;
}
