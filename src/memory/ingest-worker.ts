import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import type { Activity, Coverage } from '#contract/projects.ts';
import type { Listener, Task } from './build.ts';
import type { Report } from './indexing-thread.ts';

const port = parentPort!;
const abort = new AbortController();
const send = (report: Report) => port.postMessage(report);

/** Between two reports of one phase, in milliseconds. */
const REPORT_EVERY = 250;
let reported = { phase: '', at: 0 };

function onProgress(activity: Activity): void {
  const now = performance.now();
  if (activity.phase === reported.phase && now - reported.at < REPORT_EVERY) return;
  reported = { phase: activity.phase, at: now };
  send({ type: 'activity', activity });
}

/** Loads what the task needs and no more: a thread that reads commits has no use for grammars. */
async function build(task: Task, listener: Listener): Promise<Partial<Coverage>> {
  if (task.kind === 'commits') return (await import('./build-commits.ts')).buildCommits(task, listener);
  return (await import('./build.ts')).buildCode(task, listener);
}

// Any message is the order to stop.
port.on('message', () => abort.abort());

const start = performance.now();
try {
  const task = workerData as Task;
  const counts = await build(task, { onProgress, signal: abort.signal });
  send({ type: 'done', counts, ms: Math.round(performance.now() - start) });
} catch (cause) {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
  const known = full ? new AppError('storage_full', 'Storage is full.', { cause: error }) : error;
  const { code = null, reason } = known instanceof AppError ? known : {};
  send({ type: 'failed', error: known, code, reason });
}
port.close();
