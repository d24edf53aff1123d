import { rm } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Activity } from '#contract/projects.ts';
import type { JobContext } from '#db/job-queue.ts';
import type { Database } from '#db/schema.ts';
import { projectStorage } from '../project-data/storage.ts';
import type { IngestDeps } from './index-tasks.ts';
import { createLatestValueWriter } from './latest-value-writer.ts';
import { findProjectRow } from './queries.ts';

/** Progress is published only after this delay, since most refreshes finish sooner. */
const ACTIVITY_DELAY_MS = 1000;

/** Work on a project that is already ready. */
interface BackgroundTask {
  projectId: string;
  phase: Activity['phase'];
  unit: Activity['unit'];
  context: JobContext;
}

interface TaskRun {
  /** Aborted when the server stops or the project is deleted. */
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/**
 * Runs work on a ready project and publishes its progress while no other activity is shown. Cleans up after a
 * project that was deleted meanwhile and returns false; other errors are thrown.
 */
export async function runWithActivity(
  deps: Pick<IngestDeps, 'db' | 'config' | 'events'>,
  { projectId, phase, unit, context }: BackgroundTask,
  task: (run: TaskRun) => Promise<void>,
): Promise<boolean> {
  const removed = new AbortController();
  const signal = AbortSignal.any([context.signal, removed.signal]);
  const publish = async (activity: Activity | null) => {
    if (await updateActivity(deps.db, projectId, { phase, activity })) {
      deps.events.emit({ type: 'project-changed', projectId });
    } else if ((await findProjectRow(deps.db, projectId)) === null)
      removed.abort(new Error('The project is gone.'));
  };
  const progress = createLatestValueWriter(publish, (error) => removed.abort(error));
  const started = performance.now();
  const onProgress = (done: number, total: number) => {
    if (performance.now() - started >= ACTIVITY_DELAY_MS) progress.push({ phase, done, total, unit });
  };
  try {
    await task({ signal, onProgress });
  } catch (error) {
    if (!removed.signal.aborted) throw error;
  } finally {
    await progress.settle();
    await publish(null);
    if ((await findProjectRow(deps.db, projectId)) === null) {
      await rm(projectStorage(deps.config.dataDir, projectId).root, { recursive: true, force: true });
    }
  }
  return !removed.signal.aborted;
}

/**
 * Writes the activity unless a fetch or indexing run, which has priority, shows its own; false when nothing
 * changed.
 */
async function updateActivity(
  db: Kysely<Database>,
  projectId: string,
  { phase, activity }: { phase: Activity['phase']; activity: Activity | null },
): Promise<boolean> {
  const isOwnActivity = sql<boolean>`activity->>'phase' = ${phase}`;
  const result = await db
    .updateTable('projects')
    .set({ activity: activity && JSON.stringify(activity) })
    .where('id', '=', projectId)
    .where((where) =>
      activity === null ? isOwnActivity : where.or([where('activity', 'is', null), isOwnActivity]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
