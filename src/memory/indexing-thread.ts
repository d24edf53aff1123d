import { extname } from 'node:path';
import type { Activity, Coverage } from '#contract/projects.ts';
import type { Task } from './build.ts';
import { runThread, type ThreadListener } from './thread.ts';

/** A task's part of the coverage, and how long it took in milliseconds. */
export interface Indexed {
  counts: Partial<Coverage>;
  ms: number;
}

/** Runs a task in a thread that does no other meanwhile; rejects as `runThread` does. */
export function runTask(task: Task, listener: ThreadListener<Activity>): Promise<Indexed> {
  // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
  const program = new URL(`./ingest-worker${extname(import.meta.url)}`, import.meta.url);
  return runThread(program, task, listener, `index ${task.kind}`);
}
