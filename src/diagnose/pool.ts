import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { AppError } from '#contract/errors.ts';
import type { Diagnosis } from './check.ts';

/** A thread that checks files, apart from everything else: checkers block, and hostile text may make them hang. */
export interface CheckerPool {
  /** Throws `unavailable` when checking takes too long, fails, or too many wait; `stopped` after an abort. */
  check(file: { path: string; text: string }, options?: { signal?: AbortSignal }): Promise<Diagnosis>;
  /** Ends the thread. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const MOST_WAITING = 20;
/** Megabytes of JavaScript's own heap; the checkers' WebAssembly memory comes on top. */
const HEAP_MB = 256;

/** A pool of one thread, which starts with the first task and ends a while after the last. */
export function createCheckerPool({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): CheckerPool {
  const pool = new Piscina({
    // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
    filename: new URL(`./worker${extname(import.meta.url)}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MOST_WAITING,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return {
    async check(file, { signal } = {}) {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        // An abort ends the thread itself, which is the only way out of a checker that hangs.
        return await pool.run(file, {
          signal: signal ? AbortSignal.any([signal, late]) : late,
          name: 'check',
        });
      } catch (cause) {
        throw failure(cause, { stopped: signal?.aborted ?? false, late: late.aborted });
      }
    },
    close: () => pool.destroy(),
  };
}

function failure(cause: unknown, { stopped, late }: { stopped: boolean; late: boolean }): AppError {
  if (stopped) return new AppError('unavailable', 'The request was stopped.', { reason: 'stopped', cause });
  if (late)
    return new AppError('unavailable', 'Checking this file took too long.', { reason: 'timed_out', cause });
  return new AppError('unavailable', 'This file could not be checked.', { reason: 'checker_failed', cause });
}
