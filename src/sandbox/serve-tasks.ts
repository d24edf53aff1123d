import { AppError, serializeAppError } from '#contract/errors.ts';
import { attachSpawner } from '#git/spawner.ts';
import { createFrameReader, encodeFrame } from './frames.ts';
import type { ChildMessage, ParentMessage, TaskError, TaskListener, TaskOutcome } from './messages.ts';

/** Between two messages on the progress of one phase, in milliseconds. */
const PROGRESS_INTERVAL_MS = 250;
/** The parent's messages are bounded before they are sent. */
const MAX_MESSAGE_BYTES = 2 ** 29;
/** Failed allocations as V8, WebAssembly and Emscripten word them. */
const OUT_OF_MEMORY = /allocat|out of memory|grow instance memory|Aborted\(OOM/i;

/**
 * The child's side of a process pool: does the tasks that come over standard input, one after the other, and sends progress
 * at most four times a second a phase. The process ends with its standard input. `prepare` loads what a task needs; the
 * time for the work is counted from then on.
 */
export function serveTasks<T, P extends { phase?: string }, V>(
  work: (task: T, listener: TaskListener<P>) => Promise<V>,
  prepare?: (task: T) => Promise<unknown>,
): void {
  const send = (message: ChildMessage<P, V>) => process.stdout.write(encodeFrame(message));
  let abort = new AbortController();
  const onMessage = (message: ParentMessage<T>) => {
    if (message.type === 'abort') return abort.abort();
    abort = new AbortController();
    if (message.spawner !== undefined) attachSpawner(message.spawner);
    const listener = { onProgress: throttle<P>(send), signal: abort.signal };
    const prepareAndWork = async () => {
      await prepare?.(message.task);
      send({ type: 'started' });
      return await work(message.task, listener);
    };
    void perform(prepareAndWork).then(send);
  };
  const exit = () => process.exit(0);
  const read = createFrameReader<ParentMessage<T>>({
    maxBytes: MAX_MESSAGE_BYTES,
    onMessage,
    onInvalid: exit,
  });
  // A parent that has gone takes no reply.
  process.stdout.on('error', exit);
  process.stdin.on('data', read).on('close', exit).on('error', exit);
}

function throttle<P extends { phase?: string }>(send: (message: ChildMessage<P, never>) => void) {
  let last: { phase: string | undefined; at: number } = { phase: '', at: 0 };
  return (progress: P) => {
    const now = performance.now();
    if (progress.phase === last.phase && now - last.at < PROGRESS_INTERVAL_MS) return;
    last = { phase: progress.phase, at: now };
    send({ type: 'progress', progress });
  };
}

async function perform<V>(work: () => Promise<V>): Promise<TaskOutcome<V>> {
  const began = performance.now();
  try {
    const value = await work();
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage();
    return { type: 'done', value, ms, rss: process.memoryUsage.rss(), cpuS: (user + system) / 1e6 };
  } catch (cause) {
    return { type: 'failed', error: toTaskError(cause instanceof Error ? cause : new Error(String(cause))) };
  }
}

function toTaskError(error: Error): TaskError {
  const { message, stack } = error;
  if (error instanceof AppError) return { message, stack, app: serializeAppError(error) };
  const errno = (error as NodeJS.ErrnoException).code;
  if (errno === 'ENOSPC') {
    return { message, stack, app: { code: 'storage_full', messageKey: 'server_storage_full' } };
  }
  if (errno === 'ENOMEM' || (isRuntimeError(error) && OUT_OF_MEMORY.test(message))) {
    return {
      message,
      stack,
      app: { code: 'too_large', messageKey: 'out_of_memory', reason: 'out_of_memory' },
    };
  }
  return { message, stack, app: null };
}

function isRuntimeError(error: Error): boolean {
  return error instanceof RangeError || error.name === 'RuntimeError';
}
