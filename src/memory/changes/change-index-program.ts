import { serveTasks } from '#sandbox/serve-tasks.ts';
import { buildHunks, type HunksTask } from './build-change-index.ts';
import type { HunksProgress } from './change-index-process.ts';

serveTasks<HunksTask, HunksProgress, null>(async (task, { onProgress, signal }) => {
  await buildHunks(task, { onProgress: (done, total) => onProgress({ done, total }), signal });
  return null;
});
