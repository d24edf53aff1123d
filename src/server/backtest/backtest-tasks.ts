import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BacktestCase } from '#contract/backtest.ts';
import { createSentence } from '#contract/sentence.ts';
import type { JobContext, JobDefinition } from '#db/job-queue.ts';
import { selectFixes } from '#investigate/backtest/select-fixes.ts';
import { summarizeCases } from '#investigate/backtest/summarize.ts';
import { addRevisions } from '#memory/index/superset.ts';
import type { Deps } from '../deps.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { projectStorage, requireIndex } from '../project-data/storage.ts';
import { type BacktestUpdate, findLatestBacktest, updateBacktest } from './queries.ts';

const QUEUE = 'backtest';
const RETRY_LIMIT = 2;

type BacktestDeps = Pick<
  Deps,
  'db' | 'config' | 'jobs' | 'indexCache' | 'pool' | 'events' | 'projectCancellation' | 'projectFiles'
>;

/** Enqueues the project’s running back-test; a queued one is joined. */
export async function requestBacktest(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send(QUEUE, { project_id: projectId });
}

/** Returns the job that replays past fixes, one at a time, so that threads remain available for questions. */
export function backtestJob(deps: BacktestDeps): JobDefinition<{ project_id: string }> {
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    run: async (job, context) => await runBacktest(deps, job.project_id, context),
  };
}

/** The project or the back-test was deleted. */
class BacktestDeleted extends Error {}

/** Resumes after the cases that an earlier run saved. */
async function runBacktest(deps: BacktestDeps, projectId: string, context: JobContext): Promise<void> {
  const run = await findLatestBacktest(deps.db, projectId);
  if (run?.state !== 'running') return;
  const signal = deps.projectCancellation.signalFor(projectId, context.signal);
  const save = async (change: BacktestUpdate) => {
    if (!(await updateBacktest(deps.db, run, change))) throw new BacktestDeleted();
  };
  try {
    const cases = await replay(deps, run, save, signal);
    await save({ cases, result: { metrics: summarizeCases(cases) } });
  } catch (error) {
    if (error instanceof BacktestDeleted) return;
    // On shutdown the job is returned to the queue; the next run resumes.
    if (context.signal.aborted) throw error;
    if (signal.aborted) return;
    if (context.attempt > RETRY_LIMIT)
      await updateBacktest(deps.db, run, { result: { failure: createSentence('backtest.failed') } });
    throw error;
  }
}

async function replay(
  deps: BacktestDeps,
  run: NonNullable<Awaited<ReturnType<typeof findLatestBacktest>>>,
  save: (change: BacktestUpdate) => Promise<void>,
  signal: AbortSignal,
): Promise<BacktestCase[]> {
  const project = await deps.db
    .selectFrom('projects')
    .select(['id', 'shard_generation'])
    .where('id', '=', run.project_id)
    .executeTakeFirst();
  if (!project) throw new BacktestDeleted();
  const index = await requireIndex(deps, project);
  const seed = run.seed === null ? null : Number(run.seed);
  const fixes = selectFixes(index.commits, { head: run.commit, count: run.fixes, seed });
  const cases = [...run.cases];
  await save({ total: fixes.length });
  const storage = projectStorage(deps.config.dataDir, project.id);
  const hunks = hunksFolder(deps.config.dataDir, project.id);
  const folder = join(storage.root, 'replays', run.id);
  await rm(join(storage.root, 'replays'), { recursive: true, force: true });
  try {
    const shared = await addRevisions({
      repo: storage.repo,
      generation: join(storage.shard, project.shard_generation!),
      shared: index.shared,
      revision: index.revision,
      others: fixes.slice(cases.length).map(({ parent }) => parent),
      folder,
      limits: deps.config.git,
      signal,
    });
    for (const fix of fixes.slice(cases.length)) {
      const task = { repo: storage.repo, hunks, shared, fix };
      cases.push(await deps.pool.replayFix(task, { userId: run.project_id, signal }));
      await save({ cases });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return cases;
}
