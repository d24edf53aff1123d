import { parentPort, Worker, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode } from '#contract/errors.ts';

/** Milliseconds that an aborted thread has to end its git processes. */
const ABORT_GRACE_MS = 5000;
/** Short-lived objects are many here: a small nursery costs no time and saves 100 MB. */
const NURSERY_MB = 4;
/** A thread that needs more objects than this is reading something that was made to need them. */
const HEAP_MB = 1024;
/** Between two reports of one phase, in milliseconds. */
const REPORT_EVERY = 250;

/** Messages of a thread; the last one is not `progress`. */
type Report<P, V> =
  | { type: 'progress'; progress: P }
  | { type: 'done'; value: V }
  | { type: 'failed'; error: Error; code: ErrorCode | null; reason: string | undefined };

type LastReport<V> = Exclude<Report<never, V>, { type: 'progress' }>;

/** Who hears of a thread's progress, and who may end it. */
export interface ThreadListener<P> {
  onProgress(progress: P): void;
  signal: AbortSignal;
}

/**
 * Runs a program that calls `serveThread` in a thread of its own, which is gone when this settles. Rejects with the
 * error of the work, with the signal's reason when aborted, and with `too_large` when the thread ran out of memory.
 */
export async function runThread<P, V>(
  program: URL,
  task: unknown,
  { onProgress, signal }: ThreadListener<P>,
): Promise<V> {
  signal.throwIfAborted();
  const resourceLimits = { maxYoungGenerationSizeMb: NURSERY_MB, maxOldGenerationSizeMb: HEAP_MB };
  // Flags of the process, such as those of a debugger or a test runner, are not meant for it.
  const worker = new Worker(program, { workerData: task, resourceLimits, execArgv: [] });
  let timer: NodeJS.Timeout | undefined;
  const abort = () => {
    worker.postMessage('abort');
    timer = setTimeout(() => void worker.terminate(), ABORT_GRACE_MS);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    const last = await lastReport<P, V>(worker, onProgress);
    if (last.type === 'done') return last.value;
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

function lastReport<P, V>(worker: Worker, onProgress: (progress: P) => void) {
  return new Promise<LastReport<V>>((resolve) => {
    let last: LastReport<V>;
    const failed = (error: Error) => ({ type: 'failed' as const, error, code: null, reason: undefined });
    worker.on('message', (report: Report<P, V>) => {
      if (report.type === 'progress') onProgress(report.progress);
      else last = report;
    });
    worker.on('error', (error) => {
      const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      last = { ...failed(error as Error), code: isFull ? 'too_large' : null };
    });
    worker.on('exit', (code) => {
      resolve(last ?? failed(new Error(`A thread that reads a repository ended early with code ${code}`)));
    });
  });
}

/** The other end: does the work that `runThread` has sent, and tells its progress at most four times a second a phase. */
export async function serveThread<T, P extends { phase?: string }, V>(
  work: (task: T, listener: ThreadListener<P>) => Promise<V>,
): Promise<void> {
  const port = parentPort!;
  const abort = new AbortController();
  const send = (report: Report<P, V>) => port.postMessage(report);
  let reported: { phase: string | undefined; at: number } = { phase: '', at: 0 };
  const onProgress = (progress: P) => {
    const now = performance.now();
    if (progress.phase === reported.phase && now - reported.at < REPORT_EVERY) return;
    reported = { phase: progress.phase, at: now };
    send({ type: 'progress', progress });
  };
  // Any message is the order to stop.
  port.on('message', () => abort.abort());
  try {
    send({ type: 'done', value: await work(workerData as T, { onProgress, signal: abort.signal }) });
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    const known = full ? new AppError('storage_full', 'Storage is full.', { cause: error }) : error;
    const { code = null, reason } = known instanceof AppError ? known : {};
    send({ type: 'failed', error: known, code, reason });
  }
  port.close();
}
