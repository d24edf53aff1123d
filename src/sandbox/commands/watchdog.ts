import { statfs } from 'node:fs/promises';
import { runHostProgram } from './host-program.ts';
import { readMachineMemory, readProcessTree, readSharedMemory } from './process-tree.ts';
import type { CommandLimits, ExceededLimit } from './sandbox.ts';

/** Parameters of a watchdog. */
interface WatchdogOptions {
  /** Process whose descendants are watched; null while it has not started. */
  findRoot(): Promise<number | null>;
  /** Absolute folders that the command may write to, all on one disk. */
  folders: string[];
  limits: CommandLimits;
  /** Called once; the watchdog has ended then. */
  onExceeded(limit: ExceededLimit): void;
}

const INTERVAL_MS = 100;
/** Free memory of the machine, below which a command has to end: files in memory and sockets belong to no process. */
const MEMORY_FLOOR = { share: 0.04, maxBytes: 384 * 2 ** 20 };
/** Growth of the disk's use, as a share of the limit, after which the folders are measured again. */
const MEASURE_AFTER_SHARE = 0.1;
const MEASURE_TIMEOUT_MS = 20_000;
const MEBIBYTE = 2 ** 20;

/**
 * Ends a command that exceeds a limit on all its processes together, which the kernel enforces only with cgroups. Reads `/proc`
 * ten times a second; a command gets at most so much more than its limit as it can take in that time.
 */
export function startWatchdog({ findRoot, folders, limits, onExceeded }: WatchdogOptions): () => void {
  let isOver = false;
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
  };
  const disk = watchDisk(folders, limits);
  const look = async () => {
    const root = await findRoot();
    const exceeded = (root === null ? null : checkProcesses(root, limits)) ?? (await disk());
    if (isOver) return;
    if (exceeded === null) {
      timer = setTimeout(lookAgain, INTERVAL_MS);
      return;
    }
    stop();
    onExceeded(exceeded);
  };
  const lookAgain = () => {
    look().catch(() => {
      // The folders of a command that has ended may be gone; where it still runs, its disk use can't be bounded.
      if (isOver) return;
      stop();
      onExceeded('disk');
    });
  };
  let timer = setTimeout(lookAgain, INTERVAL_MS);
  return stop;
}

function checkProcesses(root: number, limits: CommandLimits): ExceededLimit | null {
  const { tasks, cpuS, memoryBytes, pids } = readProcessTree(root);
  if (tasks > limits.processes) return 'processes';
  if (cpuS > limits.cpuS) return 'cpu';
  const limit = limits.memoryMb * MEBIBYTE;
  // Shared pages count for each process in the cheap sum, so the exact one decides.
  if (memoryBytes > limit && (readSharedMemory(pids) ?? memoryBytes) > limit) return 'memory';
  const { available, total } = readMachineMemory();
  return available < Math.min(total * MEMORY_FLOOR.share, MEMORY_FLOOR.maxBytes) ? 'memory' : null;
}

/** Measures the folders when the disk as a whole has filled up by enough, which costs one call to find out. */
function watchDisk(folders: string[], limits: CommandLimits): () => Promise<ExceededLimit | null> {
  let before: { free: number; files: number } | null = null;
  const limit = limits.diskMb * MEBIBYTE;
  return async () => {
    const { bavail, bsize, ffree } = await statfs(folders[0]!);
    const now = { free: bavail * bsize, files: ffree };
    before ??= now;
    const isFilling =
      before.free - now.free > limit * MEASURE_AFTER_SHARE ||
      before.files - now.files > limits.files * MEASURE_AFTER_SHARE;
    if (!isFilling) return null;
    before = now;
    const [bytes, files] = await Promise.all([measure(folders, ['-B1']), measure(folders, ['--inodes'])]);
    return bytes > limit || files > limits.files ? 'disk' : null;
  };
}

/** Sum of what `du` counts in the folders; a tree that it can't measure in time counts as too large. */
async function measure(folders: string[], options: string[]): Promise<number> {
  const argv = ['du', '-s', ...options, '--', ...folders];
  // Files vanish while du looks, for which it exits with 1.
  const { exitCode, stdout } = await runHostProgram(argv, { timeoutMs: MEASURE_TIMEOUT_MS });
  if (exitCode === null) return Number.POSITIVE_INFINITY;
  return [...stdout.matchAll(/^(\d+)\t/gm)].reduce((sum, [, size]) => sum + Number(size), 0);
}
