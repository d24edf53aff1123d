import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { Activity, Coverage } from '#contract/projects.ts';
import type { Task } from './build.ts';

/** Milliseconds that an aborted thread has to end its git processes. */
const ABORT_GRACE_MS = 5000;
/** Short-lived objects are many here: a small nursery costs no time and saves 100 MB. */
const NURSERY_MB = 4;
/** A thread that needs more objects than this is reading something that was made to need them. */
const HEAP_MB = 1024;

/** Messages of an indexing thread. */
export type Report =
  | { type: 'activity'; activity: Activity }
  | { type: 'done'; counts: Partial<Coverage>; ms: number }
  | { type: 'failed'; error: Error; code: ErrorCode | null; reason: string | undefined };

/** Runs a task in a thread of its own and returns its part of the coverage; the thread is gone when this settles. */
export async function runTask(
  task: Task,
  { onProgress, signal }: { onProgress(activity: Activity): void; signal: AbortSignal },
): Promise<{ counts: Partial<Coverage>; ms: number }> {
  signal.throwIfAborted();
  // The worker's file has this file's extension: TypeScript as it is, JavaScript when compiled.
  const url = new URL(import.meta.url.replace(/indexing-thread(\.\w+)$/, 'ingest-worker$1'));
  const resourceLimits = { maxYoungGenerationSizeMb: NURSERY_MB, maxOldGenerationSizeMb: HEAP_MB };
  // Flags of the process, such as those of a debugger or a test runner, are not meant for it.
  const worker = new Worker(url, { workerData: task, resourceLimits, execArgv: [] });
  let timer: NodeJS.Timeout | undefined;
  const abort = () => {
    worker.postMessage('abort');
    timer = setTimeout(() => void worker.terminate(), ABORT_GRACE_MS);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    const last = await lastReport(worker, onProgress);
    if (last.type === 'done') return last;
    signal.throwIfAborted();
    // Errors lose their class on the way between threads.
    throw last.code === null
      ? last.error
      : new AppError(last.code, last.error.message, { reason: last.reason, cause: last.error });
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(timer);
  }
}

function lastReport(worker: Worker, onProgress: (activity: Activity) => void) {
  return new Promise<Report & { type: 'done' | 'failed' }>((resolve) => {
    let last: Report & { type: 'done' | 'failed' };
    const failed = (error: Error) => ({ type: 'failed' as const, error, code: null, reason: undefined });
    worker.on('message', (report: Report) => {
      if (report.type === 'activity') onProgress(report.activity);
      else last = report;
    });
    worker.on('error', (error) => {
      const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      last = { ...failed(error as Error), code: isFull ? 'too_large' : null };
    });
    worker.on('exit', (code) => {
      resolve(last ?? failed(new Error(`The indexing thread ended early with code ${code}`)));
    });
  });
}
