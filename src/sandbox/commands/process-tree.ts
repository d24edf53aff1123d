import { readdirSync, readFileSync } from 'node:fs';

/** Usage of a process and of all that descends from it. */
interface TreeUsage {
  /** Processes and threads, as RLIMIT_NPROC counts them. */
  tasks: number;
  /** Seconds of processor time, those of ended children included. */
  cpuS: number;
  /** Bytes of private and shared memory, swapped ones included. Pages that a fork shares count for each process. */
  memoryBytes: number;
  pids: number[];
}

/** Ticks of `/proc/PID/stat`: USER_HZ, which is 100 on every architecture of Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const MAX_PIDS = 20_000;

/** Reads the usage of a process tree from `/proc`; processes that end meanwhile count as gone. */
export function readProcessTree(root: number): TreeUsage {
  const usage: TreeUsage = { tasks: 0, cpuS: 0, memoryBytes: 0, pids: [] };
  const pending = [root];
  while (pending.length > 0 && usage.pids.length < MAX_PIDS) {
    const pid = pending.pop()!;
    try {
      addProcess(usage, pid);
      for (const thread of readdirSync(`/proc/${pid}/task`)) pending.push(...childrenOf(pid, thread));
    } catch {
      // It ended while it was read.
    }
  }
  return usage;
}

/**
 * Bytes of memory of the processes, with pages that several of them share counted once: exact, and slower. Null where the kernel
 * does not tell.
 */
export function readSharedMemory(pids: readonly number[]): number | null {
  let total = 0;
  for (const pid of pids) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
      total += kibibytes(rollup, ['Pss_Anon', 'Pss_Shmem', 'SwapPss']);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') return null;
    }
  }
  return total;
}

/** Bytes that the machine can give to programs without swapping, and all that it has. */
export function readMachineMemory(): { available: number; total: number } {
  const info = readFileSync('/proc/meminfo', 'latin1');
  return { available: kibibytes(info, ['MemAvailable']), total: kibibytes(info, ['MemTotal']) };
}

function addProcess(usage: TreeUsage, pid: number): void {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name may contain spaces and brackets: fields count from behind it, the state being the first.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTime, systemTime, childUserTime, childSystemTime] = fields.slice(11, 15).map(Number);
  usage.cpuS += (userTime! + systemTime! + childUserTime! + childSystemTime!) / TICKS_PER_SECOND;
  usage.tasks += Number(fields[17]);
  usage.memoryBytes += kibibytes(readFileSync(`/proc/${pid}/status`, 'latin1'), [
    'RssAnon',
    'RssShmem',
    'VmSwap',
  ]);
  usage.pids.push(pid);
}

function childrenOf(pid: number, thread: string): number[] {
  const list = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
  return list.split(' ').filter(Boolean).map(Number);
}

/** Sum of fields such as `RssAnon:  123 kB`, in bytes; absent ones count as 0. */
function kibibytes(text: string, names: string[]): number {
  return names.reduce((sum, name) => {
    const [, value = '0'] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text) ?? [];
    return sum + Number(value) * 1024;
  }, 0);
}
