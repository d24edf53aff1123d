import { extname } from 'node:path';
import { createProcessPool } from '#sandbox/process-pool.ts';
import { INDEX_LIMITS, INDEX_POOL } from '../index/index-process.ts';
import type { ChangeIndexTask } from './build-change-index.ts';

/** Indexed commits, and their total. */
export interface ChangeIndexProgress {
  phase?: string;
  done: number;
  total: number;
}

/** Blocks have limits, so memory does not grow with the history. */
const LIMITS = { heapMb: 1024, memoryMb: 2048, ...INDEX_LIMITS };

/** Runs `buildChangeIndex` in a process of its own; rejects as `runIndexTask` does. */
export async function runChangeIndexTask(
  task: ChangeIndexTask,
  { onProgress, signal }: { onProgress(done: number, total: number): void; signal: AbortSignal },
): Promise<void> {
  const pool = createProcessPool<ChangeIndexTask, null, ChangeIndexProgress>({
    // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
    program: new URL(`./change-index-program${extname(import.meta.url)}`, import.meta.url),
    limits: LIMITS,
    ...INDEX_POOL,
  });
  try {
    await pool.run(task, { onProgress: ({ done, total }) => onProgress(done, total), signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await pool.close();
  }
}
