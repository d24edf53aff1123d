import { extname } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { createProcessPool } from '#sandbox/process-pool.ts';
import type { Diagnosis } from './check.ts';

/** Processes that check files, apart from everything else: hostile text may make a checker hang or take all memory. */
export interface CheckerPool {
  /**
   * Throws `unavailable` when checking takes too long, fails, or too many wait; `stopped` after an abort; `too_large` when it needs
   * more memory or time than is allowed. Users take turns.
   */
  check(
    file: { path: string; text: string },
    options?: { signal?: AbortSignal; userId?: string },
  ): Promise<Diagnosis>;
  /** Ends the processes. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** A megabyte of code that somebody wrote takes a second; what takes longer was made to. */
const WORK_TIMEOUT_MS = 1_500;
/**
 * The checkers' code takes 420 MiB of what counts as memory, most of it reserved only. The largest file, a megabyte of
 * deep or broken text, took less than 300 MiB beside it where it could be checked at all.
 */
const LIMITS = { heapMb: 256, memoryMb: 1024, cpuS: 600, fileBytes: 0 };

/** A pool of two processes: one user has one of them at most. Each starts with a task and ends a while after the last. */
export function createCheckerPool({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): CheckerPool {
  const pool = createProcessPool<{ path: string; text: string }, Diagnosis>({
    // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
    program: new URL(`./check-program${extname(import.meta.url)}`, import.meta.url),
    limits: LIMITS,
    maxProcesses: 2,
    timeoutMs,
    workMs: WORK_TIMEOUT_MS,
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
