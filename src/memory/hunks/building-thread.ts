import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { HunksTask } from './build.ts';

/** Milliseconds that an aborted thread has to end its git process. */
const ABORT_GRACE_MS = 5000;
/** Short-lived objects are many here: a small nursery costs no time and saves memory. */
const NURSERY_MB = 4;

/** Messages of a building thread; the last one is not `progress`. */
export type HunksReport =
  | { type: 'progress'; done: number; total: number }
  | { type: 'done' }
  | { type: 'failed'; error: Error; code: ErrorCode | null };

/**
 * Runs `buildHunks` in a thread of its own, which is gone when this settles. Tells the commits that are read at most
 * four times a second. Rejects with the signal's reason when aborted.
 */
export async function buildHunksInThread(
  task: HunksTask,
  { onProgress, signal }: { onProgress(done: number, total: number): void; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  // The worker's file has this file's extension: TypeScript as it is, JavaScript when compiled.
  const url = new URL(import.meta.url.replace(/building-thread(\.\w+)$/, 'build-worker$1'));
  const resourceLimits = { maxYoungGenerationSizeMb: NURSERY_MB };
  const worker = new Worker(url, { workerData: task, resourceLimits, execArgv: [] });
  let timer: NodeJS.Timeout | undefined;
  const abort = () => {
    worker.postMessage('abort');
    timer = setTimeout(() => void worker.terminate(), ABORT_GRACE_MS);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    const last = await new Promise<HunksReport | Error>((resolve) => {
      let latest: HunksReport | Error | null = null;
      worker.on('message', (report: HunksReport) => {
        if (report.type === 'progress') onProgress(report.done, report.total);
        else latest = report;
      });
      worker.on('error', (error) => {
        latest = error as Error;
      });
      worker.on('exit', (code) =>
        resolve(latest ?? new Error(`The thread that reads changes ended early with code ${code}`)),
      );
    });
    signal.throwIfAborted();
    if (last instanceof Error) throw last;
    // Errors lose their class on the way between threads.
    if (last.type === 'failed') {
      throw last.code === null
        ? last.error
        : new AppError(last.code, last.error.message, { cause: last.error });
    }
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(timer);
  }
}
