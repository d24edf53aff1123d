import { existsSync } from 'node:fs';

/** Limits that the kernel holds a child process to. Absent ones are not set. */
interface KernelLimits {
  /**
   * Bytes of private writable memory (RLIMIT_DATA). Address space (RLIMIT_AS) would count mapped files, which the kernel can drop: the
   * index of a pack of eleven million objects has 314 MB.
   */
  data?: number;
  /** Bytes of the largest file that it may write (RLIMIT_FSIZE). */
  fileSize: number;
  /** Seconds of processor time (RLIMIT_CPU). */
  cpuS: number;
  /** Priority to give way to other processes with, 0 (none) to 19. */
  niceness?: number;
}

const MAX_OPEN_FILES = 256;

let available: { prlimit: boolean; setpriv: boolean } | undefined;

/** Programs of util-linux to put before a command: limits for it, and its death when its parent dies. Absent on macOS. */
export function confinement({ data, fileSize, cpuS, niceness }: KernelLimits): string[] {
  available ??= { prlimit: existsSync('/usr/bin/prlimit'), setpriv: existsSync('/usr/bin/setpriv') };
  const argv: string[] = niceness === undefined ? [] : ['/usr/bin/nice', '-n', String(niceness)];
  if (available.setpriv) argv.push('/usr/bin/setpriv', '--pdeathsig', 'KILL');
  if (available.prlimit) {
    // A second between the limits: at the lower one the child ends with SIGXCPU, which says why.
    argv.push('/usr/bin/prlimit', `--fsize=${fileSize}`, `--cpu=${cpuS}:${cpuS + 1}`);
    argv.push(`--nofile=${MAX_OPEN_FILES}`, '--core=0');
    if (data !== undefined) argv.push(`--data=${data}`);
  }
  return argv;
}
