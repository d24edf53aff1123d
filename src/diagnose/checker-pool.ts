import { extname } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { createProcessPool } from '#sandbox/process-pool.ts';
import type { Diagnosis } from './check.ts';

/** Checks files in child processes, since hostile text may make a checker hang or exhaust memory. */
export interface CheckerPool {
  /**
   * Throws `unavailable` on a timeout, a failure or a full queue, `stopped` after an abort, and `too_large` beyond the
   * limits of memory or time. Schedules users fairly.
   */
  check(
    file: { path: string; text: string },
    options?: { signal?: AbortSignal; userId?: string },
  ): Promise<Diagnosis>;
  /** Ends the processes. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** A megabyte of ordinary code takes a second; only hostile text takes longer. */
const WORK_TIMEOUT_MS = 1_500;
/** With the start of a process, which takes 350 ms on a quiet machine; so that a reply takes less than 2 s. */
const TOTAL_TIMEOUT_MS = 1_850;
/**
 * The checkers themselves take 420 MiB of address space, most of it only reserved. The largest checkable file, a megabyte
 * of deeply nested or broken text, took less than 300 MiB more.
 */
const LIMITS = { heapMb: 256, memoryMb: 1024, cpuS: 600, fileBytes: 0 };

/** Creates a pool of two processes, at most one per user. Each starts on demand and ends when idle. */
export function createCheckerPool({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): CheckerPool {
  const pool = createProcessPool<{ path: string; text: string }, Diagnosis>({
    // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
    program: new URL(`./check-program${extname(import.meta.url)}`, import.meta.url),
    limits: LIMITS,
    maxProcesses: 2,
    timeoutMs,
    workMs: WORK_TIMEOUT_MS,
    totalMs: TOTAL_TIMEOUT_MS,
  });
  return {
    async check(file, options) {
      try {
        return await pool.run(file, options);
      } catch (cause) {
        throw toCheckError(cause);
      }
    },
    close: pool.close,
  };
}

function toCheckError(cause: unknown): AppError {
  const { code, reason } = cause instanceof AppError ? cause : {};
  if (reason === 'stopped' || reason === 'busy') return cause as AppError;
  if (reason === 'timed_out') return new AppError('unavailable', 'file_check_timed_out', { reason, cause });
  if (code === 'too_large')
    return new AppError(code, 'file_check_limits', {
      reason,
      cause,
    });
  return new AppError('unavailable', 'file_check_failed', { reason: 'checker_failed', cause });
}
