import type { Activity, Coverage } from '#contract/projects.ts';
import { serveTasks } from '#sandbox/serve-tasks.ts';
import type { IndexTask, IndexTaskListener } from './build-code.ts';
import type { IndexTaskResult } from './index-process.ts';

/** Loads only the modules of the task: a process that indexes commits needs no grammars. */
async function build(task: IndexTask, listener: IndexTaskListener): Promise<Partial<Coverage>> {
  if (task.kind === 'commits') return (await import('./build-commits.ts')).buildCommits(task, listener);
  return (await import('./build-code.ts')).buildCode(task, listener);
}

serveTasks<IndexTask, Activity, IndexTaskResult>(async (task, listener) => {
  const start = performance.now();
  const counts = await build(task, listener);
  return { counts, ms: Math.round(performance.now() - start) };
});
