import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import { buildHunks, type HunksTask } from './build.ts';
import type { HunksReport } from './building-thread.ts';

const port = parentPort!;
const abort = new AbortController();
const send = (report: HunksReport) => port.postMessage(report);

/** Between two reports, in milliseconds. */
const REPORT_EVERY = 250;
let reported = performance.now();

function onProgress(done: number, total: number): void {
  if (performance.now() - reported < REPORT_EVERY) return;
  reported = performance.now();
  send({ type: 'progress', done, total });
}

// Any message is the order to stop.
port.on('message', () => abort.abort());

try {
  await buildHunks(workerData as HunksTask, { onProgress, signal: abort.signal });
  send({ type: 'done' });
} catch (cause) {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
  const known = full ? new AppError('storage_full', 'Storage is full.', { cause: error }) : error;
  send({ type: 'failed', error: known, code: known instanceof AppError ? known.code : null });
}
port.close();
