import type { Activity, Coverage } from '#contract/projects.ts';
import { serveTasks } from '#sandbox/serve-tasks.ts';
import type { IndexTask, IndexTaskListener } from './build-code.ts';
import type { IndexTaskResult, PrepareTask } from './index-process.ts';

/** Modules of each part: a process that indexes commits needs no grammars. */
const loadCommits = () => import('./build-commits.ts');
const loadCode = () => import('./build-code.ts');

async function build(task: IndexTask, listener: IndexTaskListener): Promise<Partial<Coverage>> {
  if (task.kind === 'commits') return (await loadCommits()).buildCommits(task, listener);
  if (task.kind === 'recent-commits') return (await loadCommits()).buildRecentCommits(task, listener);
  if (task.kind === 'lines') return (await loadCode()).buildLines(task, listener);
  return (await loadCode()).buildCode(task, listener);
}

async function prepare({ part }: PrepareTask): Promise<Partial<Coverage>> {
  await (part === 'commits' ? loadCommits() : loadCode());
  return {};
}

serveTasks<IndexTask | PrepareTask, Activity, IndexTaskResult>(async (task, listener) => {
  const start = performance.now();
  const counts = task.kind === 'prepare' ? await prepare(task) : await build(task, listener);
  return { counts, ms: Math.round(performance.now() - start) };
});
