import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BacktestCase } from '#contract/backtest.ts';
import type { Sentence } from '#contract/common.ts';
import { chooseFixes } from '#investigate/backtest/select-fixes.ts';
import { summarizeCases } from '#investigate/backtest/summarize.ts';
import type { JobContext } from '#jobs/queue.ts';
import { shareIndex } from '#memory/index/attached-indexes.ts';
import { addRevisions } from '#memory/index/superset.ts';
import type { Deps } from '../deps.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { projectStorage, requireIndex } from '../project-data/storage.ts';
import { type BacktestUpdate, findLatestBacktest, updateBacktest } from './queries.ts';

const BACKTEST = 'backtest';
const RETRIES = 2;

const FAILED: Sentence = {
  code: 'backtest.failed',
  params: {},
  text: 'The past fixes could not be replayed. Try again; the log of this server has the details.',
};

type Needs = Pick<Deps, 'db' | 'config' | 'jobs' | 'indexCache' | 'pool' | 'events' | 'projectCancellation'>;

/** Puts the project's running back-test into the queue; one that waits already is joined. */
export async function requestBacktest(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send(BACKTEST, { project_id: projectId });
}

/** Registers the job that replays past fixes, one after the other, so that questions still find a thread. */
export function defineBacktest(deps: Needs): void {
  deps.jobs.define<{ project_id: string }>(
    BACKTEST,
    { concurrency: 1, retryLimit: RETRIES, ...projectJobOptions(deps) },
    async (job, context) => await runBacktest(deps, job.project_id, context),
  );
}

/** The project or the back-test was deleted: nobody waits for it. */
class Gone extends Error {}

/** Goes on from the cases that an earlier run has written down. */
async function runBacktest(deps: Needs, projectId: string, context: JobContext): Promise<void> {
  const run = await findLatestBacktest(deps.db, projectId);
  if (run?.state !== 'running') return;
  const signal = deps.projectCancellation.register(projectId, context.signal);
  const write = async (change: BacktestUpdate) => {
    if (!(await updateBacktest(deps.db, run, change))) throw new Gone();
  };
  try {
    const cases = await replay(deps, run, write, signal);
    await write({ cases, result: { metrics: summarizeCases(cases) } });
  } catch (error) {
    if (error instanceof Gone) return;
    // A stopping server gives the job back; the next run goes on.
    if (context.signal.aborted) throw error;
    if (signal.aborted) return;
    if (context.attempt > RETRIES) await updateBacktest(deps.db, run, { result: { failure: FAILED } });
    throw error;
  }
}

async function replay(
  deps: Needs,
  run: NonNullable<Awaited<ReturnType<typeof findLatestBacktest>>>,
  write: (change: BacktestUpdate) => Promise<void>,
  signal: AbortSignal,
): Promise<BacktestCase[]> {
  const project = await deps.db
    .selectFrom('projects')
    .select(['id', 'shard_generation'])
    .where('id', '=', run.project_id)
    .executeTakeFirst();
  if (!project) throw new Gone();
  const memory = await requireIndex(deps, project);
  const seed = run.seed === null ? null : Number(run.seed);
  const fixes = chooseFixes(memory.commits, { head: run.commit, count: run.fixes, seed });
  const cases = [...run.cases];
  await write({ total: fixes.length });
  const storage = projectStorage(deps.config.dataDir, project.id);
  const hunks = hunksFolder(deps.config.dataDir, project.id);
  const folder = join(storage.root, 'replays', run.id);
  await rm(join(storage.root, 'replays'), { recursive: true, force: true });
  try {
    const shared = await addRevisions({
      repo: storage.repo,
      generation: join(storage.shard, project.shard_generation!),
      shared: shareIndex(memory),
      revision: memory.revision,
      others: fixes.slice(cases.length).map(({ parent }) => parent),
      folder,
      limits: deps.config.git,
      signal,
    });
    for (const fix of fixes.slice(cases.length)) {
      const task = { repo: storage.repo, hunks, shared, fix };
      cases.push(await deps.pool.replay(task, { userId: run.project_id, signal }));
      await write({ cases });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return cases;
}
