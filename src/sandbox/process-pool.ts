import { AppError } from '#contract/errors.ts';
import { spawnerFolder } from '#git/spawner.ts';
import { createFairQueue, stopped, timedOut } from '#scheduling/fair-queue.ts';
import { encodeFrame } from './frames.ts';
import type { TaskOutcome } from './messages.ts';
import { taskFailure } from './process-failure.ts';
import { createProcessSlots, type ProcessSlot, type SlotOptions } from './process-slots.ts';

/** Child processes that do the tasks of one program, and are kept for the next ones. */
export interface ProcessPool<T, V, P = never> {
  /**
   * Does a task in a process that does no other meanwhile. Throws the error of the task; `too_large` when it went beyond
   * a limit; `unavailable` with reason `stopped`, `timed_out`, `busy` or `process_failed` otherwise.
   */
  run(task: T, options?: RunOptions<P>): Promise<V>;
  /** Ends processes without a task. */
  releaseIdle(): void;
  /** Ends all processes; tasks under way and waiting fail. */
  close(): Promise<void>;
}

interface RunOptions<P> {
  signal?: AbortSignal;
  /** Users take turns; tasks without a user share one turn. */
  userId?: string;
  onProgress?(progress: P): void;
}

/** A pool's program and its bounds. */
interface ProcessPoolOptions extends Partial<SlotOptions> {
  /** A file that calls `serveTasks`. */
  program: URL;
  limits: SlotOptions['limits'];
  maxProcesses: number;
  /** Tasks that may wait; those of one user fill a quarter of it. */
  maxWaiting?: number;
  /** Milliseconds for the wait and the work. Absent: no limit. */
  timeoutMs?: number;
  /** Milliseconds for the work alone, counted once the process has started. Absent: no limit. */
  workMs?: number;
  /** Milliseconds for the start and the work. A slow start leaves at least two thirds of `workMs`. Absent: no limit. */
  totalMs?: number;
  /** Milliseconds for a stopped task to clean up; 0 kills it at once. */
  abortGraceMs?: number;
  maxTaskBytes?: number;
  /** The program starts git: passes the folder of the spawner to it. */
  startsGit?: boolean;
}

/** The longest delay of a timer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const DEFAULTS = {
  maxWaiting: 20,
  timeoutMs: NO_TIMEOUT_MS,
  workMs: NO_TIMEOUT_MS,
  totalMs: NO_TIMEOUT_MS,
  abortGraceMs: 0,
  maxTaskBytes: 8 * 2 ** 20,
  maxOutputBytes: 8 * 2 ** 20,
  maxTasksPerProcess: 1000,
  maxIdleMb: 384,
  maxIdle: 1,
  idleMs: 60_000,
  startsGit: false,
};

type Options = ProcessPoolOptions & typeof DEFAULTS;

/** Creates a pool; its first process starts with the first task. */
export function createProcessPool<T, V, P = never>(given: ProcessPoolOptions): ProcessPool<T, V, P> {
  const options: Options = { ...DEFAULTS, ...given };
  const { maxProcesses, maxWaiting, timeoutMs: deadlineMs } = options;
  const slots = createProcessSlots(options);
  const closing = new AbortController();
  const queue = createFairQueue({
    maxRunning: maxProcesses,
    // With more than one process, one user leaves one to others.
    maxRunningPerUser: Math.max(1, maxProcesses - 1),
    maxWaiting,
    maxWaitingPerUser: Math.ceil(maxWaiting / 4),
  });
  return {
    async run(task, { signal: given, userId = '', onProgress = () => {} } = {}) {
      const frame = taskFrame(task, options);
      const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
      return await queue.run({ userId, deadlineMs, signal }, async (ending) => {
        const slot = slots.take();
        let last: TaskOutcome<unknown> | null = null;
        try {
          const listener = { onProgress: onProgress as () => void, signal: ending };
          last = await perform(slot, frame, listener, options);
        } finally {
          await slots.release(slot, ending.aborted ? null : last);
        }
        if (last.type === 'done') return last.value as V;
        throw taskFailure(last.error);
      });
    },
    releaseIdle: slots.releaseIdle,
    async close() {
      closing.abort();
      await slots.killAll();
    },
  };
}

function taskFrame(task: unknown, { startsGit, maxTaskBytes }: Options): Buffer {
  const frame = encodeFrame({ type: 'task', task, spawner: startsGit ? spawnerFolder() : undefined });
  if (frame.length <= maxTaskBytes) return frame;
  throw new AppError('too_large', 'text_too_large', { reason: 'task_too_large' });
}

interface Listener {
  onProgress(progress: unknown): void;
  signal: AbortSignal;
}

async function perform(
  { process }: ProcessSlot,
  frame: Buffer,
  { onProgress, signal }: Listener,
  { abortGraceMs, workMs, totalMs }: Options,
): Promise<TaskOutcome<unknown>> {
  let grace: NodeJS.Timeout | undefined;
  let workTimer: NodeJS.Timeout | undefined;
  let isLate = false;
  const began = performance.now();
  const onStarted = () => {
    const remaining = totalMs - (performance.now() - began);
    const allowed = Math.min(workMs, Math.max(remaining, (2 / 3) * workMs));
    workTimer = setTimeout(() => {
      isLate = true;
      process.kill();
    }, allowed);
  };
  const onAbort = () => {
    // One that took too long is past cleaning up.
    const isTimeout = signal.reason?.reason === 'timed_out';
    if (abortGraceMs === 0 || isTimeout) return process.kill();
    process.abort();
    grace = setTimeout(process.kill, abortGraceMs);
  };
  if (signal.aborted) throw stopped();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await process.perform(frame, { onStarted, onProgress });
  } catch (error) {
    throw isLate ? timedOut() : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(grace);
    clearTimeout(workTimer);
  }
}
