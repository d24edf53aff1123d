import { rm } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Activity } from '#contract/projects.ts';
import type { Database } from '#db/schema.ts';
import type { JobContext } from '#jobs/queue.ts';
import { projectStorage } from '../project-data/storage.ts';
import { createLatestValueWriter } from './latest-value-writer.ts';
import { findProjectRow } from './queries.ts';
import type { IngestDeps } from './tasks.ts';

/** Milliseconds of a run before which nothing is said: a refresh is over sooner. */
const QUIET_MS = 1000;

/** What is done beside serving a project that is ready. */
interface Background {
  projectId: string;
  phase: Activity['phase'];
  unit: Activity['unit'];
  context: JobContext;
}

/** What the work is given. */
interface Run {
  /** Aborted when the server stops or the project is gone. */
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/**
 * Does work on a project that is ready, says how far it is while nothing else goes on there, and cleans up behind a project that was
 * removed meanwhile. False when that ended it; other failures are thrown.
 */
export async function runWithActivity(
  deps: Pick<IngestDeps, 'db' | 'config' | 'events'>,
  { projectId, phase, unit, context }: Background,
  work: (run: Run) => Promise<void>,
): Promise<boolean> {
  const removed = new AbortController();
  const signal = AbortSignal.any([context.signal, removed.signal]);
  const tell = async (activity: Activity | null) => {
    if (await changeActivity(deps.db, projectId, { phase, activity })) {
      deps.events.emit({ type: 'project-changed', projectId });
    } else if ((await findProjectRow(deps.db, projectId)) === null)
      removed.abort(new Error('The project is gone.'));
  };
  const progress = createLatestValueWriter(tell, (error) => removed.abort(error));
  const started = performance.now();
  const onProgress = (done: number, total: number) => {
    if (performance.now() - started >= QUIET_MS) progress.push({ phase, done, total, unit });
  };
  try {
    await work({ signal, onProgress });
  } catch (error) {
    if (!removed.signal.aborted) throw error;
  } finally {
    await progress.settle();
    await tell(null);
    if ((await findProjectRow(deps.db, projectId)) === null) {
      await rm(projectStorage(deps.config.dataDir, projectId).root, { recursive: true, force: true });
    }
  }
  return !removed.signal.aborted;
}

/** Says what this work does, unless the project is being fetched or read, which matters more; false when nothing changed. */
async function changeActivity(
  db: Kysely<Database>,
  projectId: string,
  { phase, activity }: { phase: Activity['phase']; activity: Activity | null },
): Promise<boolean> {
  const ours = sql<boolean>`activity->>'phase' = ${phase}`;
  const result = await db
    .updateTable('projects')
    .set({ activity: activity && JSON.stringify(activity) })
    .where('id', '=', projectId)
    .where((where) => (activity === null ? ours : where.or([where('activity', 'is', null), ours])))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
