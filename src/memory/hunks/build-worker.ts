import { serveThread } from '../thread.ts';
import { buildHunks, type HunksTask } from './build.ts';
import type { HunksProgress } from './building-thread.ts';

serveThread<HunksTask, HunksProgress, null>(async (task, { onProgress, signal }) => {
  await buildHunks(task, { onProgress: (done, total) => onProgress({ done, total }), signal });
  return null;
});
