import { extname } from 'node:path';
import { runThread } from '../thread.ts';
import type { HunksTask } from './build.ts';

/** Commits that are read, of so many. */
export interface HunksProgress {
  phase?: string;
  done: number;
  total: number;
}

/** Runs `buildHunks` in a thread of its own; rejects as `runThread` does. */
export async function buildHunksInThread(
  task: HunksTask,
  { onProgress, signal }: { onProgress(done: number, total: number): void; signal: AbortSignal },
): Promise<void> {
  // The same extension as this file: TypeScript in the repository, JavaScript once compiled.
  const program = new URL(`./build-worker${extname(import.meta.url)}`, import.meta.url);
  const listener = { onProgress: ({ done, total }: HunksProgress) => onProgress(done, total), signal };
  await runThread<HunksProgress, null>(program, task, listener);
}
