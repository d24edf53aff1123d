import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { Activity, Coverage } from '#contract/projects.ts';
import type { Phase, Task } from './build.ts';
import { prune, removeUnfinished } from './shard/publish.ts';

/** Milliseconds that an aborted run has to end its git processes. */
const ABORT_GRACE_MS = 5000;

export type { Phase } from './build.ts';

/** What to remember and where. */
export interface RememberOptions {
  /** Absolute path of a bare repository. */
  repo: string;
  /** The commit to index. */
  revision: string;
  /** Folder of the project's generations; one run at a time may write it. */
  directory: string;
  /** The generation that serves now; then the new one appears only when it is complete. */
  previous: string | null;
  limits: { maxFileBytes: number; maxEntries: number };
  onProgress(activity: Activity): void;
  /** Called when a generation is on disk; the run goes on when the promise is kept and ends when it is not. */
  onGeneration(generation: { name: string; phase: Phase }): Promise<void>;
  signal: AbortSignal;
}

/** What a finished run tells. `phases` are milliseconds. */
export interface Remembered {
  coverage: Coverage;
  phases: Record<string, number>;
}

/** Messages of the worker thread. */
export type Report =
  | { type: 'activity'; activity: Activity }
  | { type: 'generation'; name: string; phase: Phase }
  | { type: 'done'; remembered: Remembered }
  | { type: 'failed'; error: Error; code: ErrorCode | null; reason: string | undefined };

/** Messages to the worker thread. */
export type Order = 'continue' | 'abort';

/** Reads a repository into a new generation in a worker thread. Rejects with an `AppError` when that can't be done. */
export async function remember(options: RememberOptions): Promise<Remembered> {
  const { repo, revision, directory, previous, limits, signal } = options;
  signal.throwIfAborted();
  await removeUnfinished(directory);
  const task: Task = { repo, revision, directory, interim: previous === null, limits };
  // The worker's file has this file's extension: TypeScript as it is, JavaScript when compiled.
  const url = new URL(import.meta.url.replace(/ingest(\.\w+)$/, 'ingest-worker$1'));
  const worker = new Worker(url, { workerData: task });
  const exited = once(worker, 'exit');
  const abort = () => worker.postMessage('abort' satisfies Order);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const { remembered, generation } = await follow(worker, options);
    await prune(directory, generation, Date.now());
    return remembered;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
    const timer = setTimeout(() => void worker.terminate(), ABORT_GRACE_MS);
    await exited;
    clearTimeout(timer);
  }
}

function follow(worker: Worker, options: RememberOptions) {
  return new Promise<{ remembered: Remembered; generation: string }>((resolve, reject) => {
    let generation = '';
    worker.on('message', (report: Report) => {
      if (report.type === 'activity') options.onProgress(report.activity);
      else if (report.type === 'done') resolve({ remembered: report.remembered, generation });
      else if (report.type === 'failed') reject(revive(report));
      else {
        generation = report.name;
        const { name, phase } = report;
        options
          .onGeneration({ name, phase })
          .then(() => worker.postMessage('continue' satisfies Order), reject);
      }
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`The indexing thread ended early with code ${code}`)));
  });
}

/** Errors lose their class on the way between threads. */
function revive({ error, code, reason }: Report & { type: 'failed' }): Error {
  return code === null ? error : new AppError(code, error.message, { reason, cause: error });
}
