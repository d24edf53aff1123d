import { rm } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Activity } from '#contract/projects.ts';
import type { Database } from '#db/schema.ts';
import type { JobContext } from '#jobs/queue.ts';
import { buildHunksInThread } from '#memory/hunks/building-thread.ts';
import { HUNKS_JOB, type HunksJob, hunksFolder, requestHunks } from '../hunks.ts';
import { projectStorage } from '../storage.ts';
import { latest } from './progress.ts';
import { findProjectRow } from './queries.ts';
import type { IngestDeps } from './tasks.ts';

const RETRIES = 2;
/** Milliseconds of a run before which nothing is said: a refresh is over sooner. */
const QUIET_MS = 1000;

/**
 * Registers the job that reads the changes of a project's history once the project is ready, and again after each
 * refresh. It needs no room for itself in a project's row: what is read lies on disk, and the next run goes on from it.
 */
export function defineHunks(deps: IngestDeps): void {
  deps.jobs.define<HunksJob>(
    HUNKS_JOB,
    { concurrency: 1, retryLimit: RETRIES, singleton: (job) => job.project_id },
    async (job, context) => {
      const read = () => readHistory(deps, job.project_id, context);
      // A lock of its own: a refresh need not wait for this, which takes minutes.
      await deps.lock(`hunks:${job.project_id}`, read, context.signal);
    },
  );
  deps.events.subscribe('project-indexed', ({ projectId }) => {
    // A lost request is made up for by the next search of the history.
    requestHunks(deps, projectId).catch(() => {});
  });
}

async function readHistory(deps: IngestDeps, projectId: string, context: JobContext): Promise<void> {
  const project = await findProjectRow(deps.db, projectId);
  if (project === null || project.indexed_commit === null) return;
  const removed = new AbortController();
  const signal = AbortSignal.any([context.signal, removed.signal]);
  const tell = async (activity: Activity | null) => {
    if (await changeActivity(deps.db, projectId, activity)) {
      deps.events.emit({ type: 'project-changed', projectId });
    } else if ((await findProjectRow(deps.db, projectId)) === null)
      removed.abort(new Error('The project is gone.'));
  };
  const progress = latest(tell, (error) => removed.abort(error));
  const { dataDir } = deps.config;
  const started = performance.now();
  const onProgress = (done: number, total: number) => {
    if (performance.now() - started < QUIET_MS) return;
    progress.tell({ phase: 'hunks', done, total, unit: 'commits' });
  };
  const { repo, root } = projectStorage(dataDir, projectId);
  const task = { repo, revision: project.indexed_commit, directory: hunksFolder(dataDir, projectId) };
  try {
    await buildHunksInThread(task, { onProgress, signal });
  } catch (error) {
    if (!removed.signal.aborted) throw error;
  } finally {
    await progress.settle();
    await tell(null);
    if ((await findProjectRow(deps.db, projectId)) === null) await rm(root, { recursive: true, force: true });
  }
}

/** Says what this job does, unless the project is being fetched or read, which matters more; false when nothing changed. */
async function changeActivity(
  db: Kysely<Database>,
  projectId: string,
  activity: Activity | null,
): Promise<boolean> {
  const ours = sql<boolean>`activity->>'phase' = 'hunks'`;
  const result = await db
    .updateTable('projects')
    .set({ activity: activity && JSON.stringify(activity) })
    .where('id', '=', projectId)
    .where((where) => (activity === null ? ours : where.or([where('activity', 'is', null), ours])))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
