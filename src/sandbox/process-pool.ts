import { AppError } from '#contract/errors.ts';
import { spawnerFolder } from '#git/spawner.ts';
import { encodeFrame } from './frames.ts';
import type { LastMessage } from './messages.ts';
import { taskFailure } from './process-failure.ts';
import { createProcessSlots, type Slot, type SlotOptions } from './process-slots.ts';
import { createTurns, stopped } from './turns.ts';

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
  /** The user, or whoever else takes turns with others. */
  group?: string;
  onProgress?(progress: P): void;
}

/** A pool's program and its bounds. */
export interface ProcessPoolOptions extends Partial<SlotOptions> {
  /** A file that calls `serveTasks`. */
  program: URL;
  /** The work, as the beginning of a sentence such as `Checking this file`: for errors. */
  label: string;
  limits: SlotOptions['limits'];
  maxProcesses: number;
  /** Tasks that may wait. */
  maxQueue?: number;
  /** Milliseconds for a task, and for its wait. Absent: no limit. */
  timeoutMs?: number;
  /** Milliseconds for a stopped task to clean up; 0 kills it at once. */
  abortGraceMs?: number;
  maxTaskBytes?: number;
  /** The program starts git: it is told how to reach the spawner. */
  startsGit?: boolean;
}

const DEFAULTS = {
  maxQueue: 20,
  timeoutMs: Number.POSITIVE_INFINITY,
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
  const slots = createProcessSlots(options, () => turns.dispatch());
  // With more than one process, one group leaves one for others.
  const turns = createTurns<Slot>({
    ...options,
    ...slots,
    maxPerGroup: Math.max(1, options.maxProcesses - 1),
  });
  return {
    async run(task, { signal, group = '', onProgress = () => {} } = {}) {
      if (signal?.aborted) throw stopped();
      const frame = taskFrame(task, options);
      const slot = await turns.acquire(group, signal);
      let last: LastMessage<unknown> | null = null;
      try {
        last = await perform(slot, frame, { options, signal, onProgress: onProgress as () => void });
      } finally {
        await slots.release(slot, signal?.aborted ? null : last);
        turns.finish(group);
      }
      if (last.type === 'done') return last.value as V;
      throw signal?.aborted ? stopped() : taskFailure(options.label, last.error);
    },
    releaseIdle: slots.releaseIdle,
    async close() {
      turns.close();
      await slots.killAll();
    },
  };
}

function taskFrame(task: unknown, { label, startsGit, maxTaskBytes }: Options): Buffer {
  const frame = encodeFrame({ type: 'task', task, spawner: startsGit ? spawnerFolder() : undefined });
  if (frame.length <= maxTaskBytes) return frame;
  throw new AppError('too_large', `${label} is not possible: the text is too large.`, {
    reason: 'task_size',
  });
}

interface Performance {
  options: Options;
  signal: AbortSignal | undefined;
  onProgress(progress: unknown): void;
}

async function perform({ process }: Slot, frame: Buffer, { options, signal, onProgress }: Performance) {
  const { timeoutMs, abortGraceMs } = options;
  const timers: NodeJS.Timeout[] = [];
  const onAbort = () => {
    if (abortGraceMs === 0) return process.kill('stopped');
    process.abort();
    timers.push(setTimeout(() => process.kill('stopped'), abortGraceMs));
  };
  if (Number.isFinite(timeoutMs)) timers.push(setTimeout(() => process.kill('timed_out'), timeoutMs));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await process.perform(frame, onProgress);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    timers.forEach(clearTimeout);
  }
}
