import { extname } from 'node:path';
import type { Activity, Coverage } from '#contract/projects.ts';
import type { TaskListener } from '#sandbox/messages.ts';
import { createProcessPool, type ProcessPool } from '#sandbox/process-pool.ts';
import { BASE_INDEX_BYTES, getBuildBudget } from '../limits.ts';
import type { IndexTask } from './build-code.ts';

/** Part of the coverage that a task counted, and its duration in milliseconds. */
export interface IndexTaskResult {
  counts: Partial<Coverage>;
  ms: number;
}

/** Only hostile input needs a larger heap. */
const HEAP_MB = 1024;
/** Memory of the parser, compiled grammars and buffers beside the heap and the index. */
const OTHER_MB = 1024;
const MEBIBYTE = 2 ** 20;

/** Loads the modules of a part, so that they need not be loaded when its task comes. */
export interface PrepareTask {
  kind: 'prepare';
  part: 'commits' | 'code';
}

type IndexPool = ProcessPool<IndexTask | PrepareTask, IndexTaskResult, Activity>;

/** Pools by kind of task and memory. One idle process of each is kept, since starting takes longer than a small task. */
const pools = new Map<string, IndexPool>();

/**
 * Runs a task in a process of its own. Rejects with the error of the task, with the signal's reason when aborted, and with
 * `too_large` when it needs more memory than twice its budget plus that of reading.
 */
export async function runIndexTask(
  task: IndexTask,
  { onProgress, signal }: TaskListener<Activity>,
): Promise<IndexTaskResult> {
  signal.throwIfAborted();
  const { indexBytes } = await getBuildBudget(task.repo, task.limits);
  const [part, memoryMb] = [partOf(task), memoryLimit(indexBytes)];
  if (task.previous === null) releaseUnusedPreparation(part, memoryMb);
  try {
    return await getPool(part, memoryMb).run(task, { onProgress, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Starts the processes of a first build while its repository is still being fetched. Failures are those of the tasks later. */
export async function prepareIndexProcesses(): Promise<void> {
  const parts = ['commits', 'code'] as const;
  await Promise.allSettled(parts.map((part) => getPool(part, PREPARED_MB).run({ kind: 'prepare', part })));
}

/** Ends the process that was prepared for a repository of usual size where a first build needs one with more memory. */
function releaseUnusedPreparation(part: PrepareTask['part'], memoryMb: number): void {
  if (memoryMb !== PREPARED_MB) pools.get(poolName(part, PREPARED_MB))?.releaseIdle();
}

/** Ends idle processes to free their memory, of one part or of both. */
export function releaseIndexProcesses(part?: PrepareTask['part']): void {
  for (const [name, pool] of pools) if (part === undefined || name.startsWith(part)) pool.releaseIdle();
}

/** Megabytes for an index of this size: at the end everything collected is copied into a buffer of the same size. */
function memoryLimit(indexBytes: number): number {
  return 2 ** Math.ceil(Math.log2(HEAP_MB + OTHER_MB + (2 * indexBytes) / MEBIBYTE));
}

/** Memory of the processes that are started before the size of the repository is known. */
const PREPARED_MB = memoryLimit(BASE_INDEX_BYTES);

/** Tasks of one run that follow each other share a process. */
const partOf = ({ kind }: IndexTask): PrepareTask['part'] => (kind === 'commits' ? 'commits' : 'code');

const poolName = (part: PrepareTask['part'], memoryMb: number) => `${part} ${memoryMb}`;

function getPool(part: PrepareTask['part'], memoryMb: number): IndexPool {
  const name = poolName(part, memoryMb);
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

/** Limits of all processes that read repositories. Answers go before indexing. */
export const INDEX_LIMITS = { cpuS: 12 * 3600, fileBytes: 16 * 2 ** 30, niceness: 5 };

/** The job queue limits how many run. An aborted process gets time to end its git processes. */
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
