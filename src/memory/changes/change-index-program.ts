import { serveTasks } from '#sandbox/serve-tasks.ts';
import { buildChangeIndex, type ChangeIndexTask } from './build-change-index.ts';
import type { ChangeIndexProgress } from './change-index-process.ts';

serveTasks<ChangeIndexTask, ChangeIndexProgress, null>(async (task, { onProgress, signal }) => {
  await buildChangeIndex(task, { onProgress: (done, total) => onProgress({ done, total }), signal });
  return null;
});
