import { getHeapStatistics } from 'node:v8';
import { parentPort, Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '#contract/errors.ts';

/** Milliseconds that an aborted thread has to end its git processes. */
const ABORT_GRACE_MS = 5000;
/** Short-lived objects are many here: a small nursery costs no time and saves 100 MB. */
const NURSERY_MB = 4;
/** A thread that needs more objects than this is reading something that was made to need them. */
const HEAP_MB = 1024;
/** A thread that holds more is not kept for another task, and none is kept longer without one. */
const KEPT_BYTES = 96 * 2 ** 20;
const KEPT_MS = 10 * 60 * 1000;
/** Between two reports of one phase, in milliseconds. */
const REPORT_EVERY = 250;

/** What a thread is told. */
type Order<T> = { type: 'task'; task: T } | { type: 'abort' } | { type: 'end' };

/** What it tells; the last report of a task is not `progress`. `bytes` is what the thread holds. */
type Report<P, V> =
  | { type: 'progress'; progress: P }
  | { type: 'done'; value: V; bytes: number }
  | { type: 'failed'; error: Error; code: ErrorCode | null; reason: string | undefined };

type LastReport<V> = Exclude<Report<never, V>, { type: 'progress' }>;

/** Who hears of a thread's progress, and who may end it. */
export interface ThreadListener<P> {
  onProgress(progress: P): void;
  signal: AbortSignal;
}

interface Thread {
  readonly worker: Worker;
  /** Resolves once it has ended. */
  readonly gone: Promise<void>;
}

/** Threads without a task, by the name under which they are kept. */
const kept = new Map<string, Thread>();

/**
 * Runs a program that calls `serveThread` in a thread of its own. Rejects with the error of the work, with the
 * signal's reason when aborted, and with `too_large` when the thread ran out of memory; the thread is gone then.
 * So it is when this resolves, unless `keepAs` names it and it holds little: to load a program and to warm up takes
 * longer than a small task, so the next one of that name finds it there.
 */
export async function runThread<P, V>(
  program: URL,
  task: unknown,
  { onProgress, signal }: ThreadListener<P>,
  keepAs: string | null = null,
): Promise<V> {
  signal.throwIfAborted();
  const thread = takeKept(keepAs) ?? startThread(program);
  let timer: NodeJS.Timeout | undefined;
  const abort = () => {
    order(thread, { type: 'abort' });
    timer = setTimeout(() => void thread.worker.terminate(), ABORT_GRACE_MS);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    order(thread, { type: 'task', task });
    const last = await lastReport<P, V>(thread, onProgress);
    const isKept = keepAs !== null && last.type === 'done' && last.bytes <= KEPT_BYTES && !signal.aborted;
    if (isKept) keep(keepAs, thread);
    else await end(thread);
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

function startThread(program: URL): Thread {
  const resourceLimits = { maxYoungGenerationSizeMb: NURSERY_MB, maxOldGenerationSizeMb: HEAP_MB };
  // Flags of the process, such as those of a debugger or a test runner, are not meant for it.
  const worker = new Worker(program, { resourceLimits, execArgv: [] });
  // An error that nobody listens for would end the process.
  worker.on('error', () => {});
  return { worker, gone: new Promise((resolve) => worker.once('exit', () => resolve())) };
}

const order = ({ worker }: Thread, what: Order<unknown>) => worker.postMessage(what);

async function end(thread: Thread): Promise<void> {
  order(thread, { type: 'end' });
  await thread.gone;
}

/** Lets a thread wait under a name, in place of one that does so already. It does not keep the process alive. */
function keep(name: string, thread: Thread): void {
  const other = kept.get(name);
  if (other) void end(other);
  kept.set(name, thread);
  thread.worker.unref();
  const forget = () => kept.get(name) === thread && kept.delete(name);
  void thread.gone.then(forget);
  setTimeout(() => forget() && void end(thread), KEPT_MS).unref();
}

function takeKept(name: string | null): Thread | undefined {
  const thread = name === null ? undefined : kept.get(name);
  if (thread === undefined) return undefined;
  kept.delete(name!);
  thread.worker.ref();
  return thread;
}

/** What a task ended with; a thread that ends before it tells is a failure. */
async function lastReport<P, V>(thread: Thread, onProgress: (progress: P) => void): Promise<LastReport<V>> {
  const { worker, gone } = thread;
  const reports = new AbortController();
  const failed = (error: Error, code: ErrorCode | null = null): LastReport<V> => {
    return { type: 'failed', error, code, reason: undefined };
  };
  const told = new Promise<LastReport<V>>((resolve) => {
    const onMessage = (report: Report<P, V>) => {
      if (report.type === 'progress') onProgress(report.progress);
      else resolve(report);
    };
    const onError = (error: unknown) => {
      const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      resolve(failed(error as Error, isFull ? 'too_large' : null));
    };
    worker.on('message', onMessage).on('error', onError);
    reports.signal.addEventListener('abort', () => worker.off('message', onMessage).off('error', onError));
  });
  const early = gone.then(() => failed(new Error('A thread that reads a repository ended early.')));
  try {
    return await Promise.race([told, early]);
  } finally {
    reports.abort();
  }
}

/**
 * The other end: does the work that `runThread` sends, one task after the other, and tells its progress at most four
 * times a second a phase.
 */
export function serveThread<T, P extends { phase?: string }, V>(
  work: (task: T, listener: ThreadListener<P>) => Promise<V>,
): void {
  const port = parentPort!;
  let abort = new AbortController();
  port.on('message', (order: Order<T>) => {
    if (order.type === 'abort') return abort.abort();
    if (order.type === 'end') return port.close();
    abort = new AbortController();
    const listener = { onProgress: throttled<P>((report) => port.postMessage(report)), signal: abort.signal };
    void perform(work(order.task, listener)).then((report) => port.postMessage(report));
  });
}

function throttled<P extends { phase?: string }>(send: (report: Report<P, never>) => void) {
  let reported: { phase: string | undefined; at: number } = { phase: '', at: 0 };
  return (progress: P) => {
    const now = performance.now();
    if (progress.phase === reported.phase && now - reported.at < REPORT_EVERY) return;
    reported = { phase: progress.phase, at: now };
    send({ type: 'progress', progress });
  };
}

async function perform<V>(work: Promise<V>): Promise<LastReport<V>> {
  try {
    const value = await work;
    const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
    return { type: 'done', value, bytes: heap + external };
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    const known = full ? new AppError('storage_full', 'Storage is full.', { cause: error }) : error;
    const { code = null, reason } = known instanceof AppError ? known : {};
    return { type: 'failed', error: known, code, reason };
  }
}
