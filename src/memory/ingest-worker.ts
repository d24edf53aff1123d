import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import type { Activity } from '#contract/projects.ts';
import { build, type Task } from './build.ts';
import type { Order, Report } from './ingest.ts';

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

let goOn = () => {};
port.on('message', (order: Order) => {
  if (order === 'abort') abort.abort();
  goOn();
});

function onGeneration(generation: Omit<Report & { type: 'generation' }, 'type'>): Promise<void> {
  send({ type: 'generation', ...generation });
  return new Promise((resolve) => {
    goOn = resolve;
  });
}

try {
  const remembered = await build(workerData as Task, { onProgress, onGeneration, signal: abort.signal });
  send({ type: 'done', remembered });
} catch (cause) {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
  const known = full ? new AppError('storage_full', 'Storage is full.', { cause: error }) : error;
  const code = known instanceof AppError ? known.code : null;
  send({ type: 'failed', error: known, code, reason: known instanceof AppError ? known.reason : undefined });
}
port.close();
