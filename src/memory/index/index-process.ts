import { extname } from 'node:path';
import type { Activity, Coverage } from '#contract/projects.ts';
import type { TaskListener } from '#sandbox/messages.ts';
import { createProcessPool, type ProcessPool } from '#sandbox/process-pool.ts';
import { getBuildBudget } from '../limits.ts';
import type { IndexTask } from './build-code.ts';

/** A task's part of the coverage, and how long it took in milliseconds. */
export interface IndexTaskResult {
  counts: Partial<Coverage>;
  ms: number;
}

/** A process that needs more objects than this reads something that was made to need them. */
const HEAP_MB = 1024;
/** What a parser, a grammar's code and the files on their way may take beside objects and the index. */
const OTHER_MB = 1024;
const MEBIBYTE = 2 ** 20;

type IndexPool = ProcessPool<IndexTask, IndexTaskResult, Activity>;

/** By kind of work and memory: to load a program and to warm up takes longer than a small task, so one of each is kept. */
const pools = new Map<string, IndexPool>();

/**
 * Runs a task in a process that does no other meanwhile. Rejects with the error of the work, with the signal's reason when
 * aborted, and with `too_large` when it needs more memory than twice its budget and what reading takes.
 */
export async function runIndexTask(
  task: IndexTask,
  { onProgress, signal }: TaskListener<Activity>,
): Promise<IndexTaskResult> {
  signal.throwIfAborted();
  const { indexBytes } = await getBuildBudget(task.repo, task.limits);
  try {
    // What was collected is written into a buffer of the same size at the end.
    const memoryMb = HEAP_MB + OTHER_MB + (2 * indexBytes) / MEBIBYTE;
    return await getPool(task.kind, 2 ** Math.ceil(Math.log2(memoryMb))).run(task, { onProgress, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Ends the processes that wait for another task, with what they hold of the last one. */
export function releaseIndexProcesses(): void {
  for (const pool of pools.values()) pool.releaseIdle();
}

function getPool(kind: IndexTask['kind'], memoryMb: number): IndexPool {
  const name = `${kind} ${memoryMb}`;
  const pool = pools.get(name) ?? createIndexPool(memoryMb);
  pools.set(name, pool);
  return pool;
}

function createIndexPool(memoryMb: number): IndexPool {
  return createProcessPool({
    // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
    program: new URL(`./index-program${extname(import.meta.url)}`, import.meta.url),
    limits: { heapMb: HEAP_MB, memoryMb, ...INDEX_LIMITS },
    ...INDEX_POOL,
  });
}

/** Bounds of all processes that read repositories. */
export const INDEX_LIMITS = { cpuS: 12 * 3600, fileBytes: 16 * 2 ** 30 };

/** How many run is the matter of the queue of jobs. A stopped one has time to end its git processes. */
export const INDEX_POOL = {
  maxProcesses: 64,
  maxWaiting: 1000,
  abortGraceMs: 5000,
  maxIdle: 1,
  idleMs: 10 * 60_000,
  maxIdleMb: 256,
  maxTaskBytes: 64 * MEBIBYTE,
  startsGit: true,
};
