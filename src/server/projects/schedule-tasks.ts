import { sql } from 'kysely';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { readOnlyByPlan } from '../identity/plan-access.ts';
import { requestIngest } from './index-tasks.ts';
import { markQueued } from './queries.ts';

const QUEUE = 'scheduled-refreshes';
/** Interval between looks for due projects; the shortest schedule is an hour. */
const INTERVAL_MS = 5 * 60_000;
const RETRY_LIMIT = 1;
/** Projects of one run, longest due first; the next run takes the others. */
const MAX_PROJECTS = 200;

type ScheduleDeps = Pick<Deps, 'db' | 'config' | 'jobs' | 'events' | 'now'>;

/** Returns the job that refreshes projects by their schedule. */
export function scheduledRefreshJob(deps: ScheduleDeps): JobDefinition {
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    everyMs: INTERVAL_MS,
    singletonKey: () => 'all',
    run: async (_, { signal }) => {
      await refreshDueProjects(deps, signal);
    },
  };
}

/** Enqueues a refresh of every project whose last run began longer ago than its schedule, except read-only ones. Returns their ids. */
export async function refreshDueProjects(deps: ScheduleDeps, signal?: AbortSignal): Promise<string[]> {
  const due = await deps.db
    .selectFrom('projects')
    .select('id')
    .where('refresh_hours', 'is not', null)
    .where(({ not }) => not(readOnlyByPlan(deps, 'projects.id')))
    .where(
      sql<boolean>`not exists (
        select from ingest_runs
        where ingest_runs.project_id = projects.id
          and ingest_runs.started_at > ${deps.now()}::timestamptz - projects.refresh_hours * interval '1 hour'
      )`,
    )
    .orderBy(sql`fetched_at nulls first`)
    .limit(MAX_PROJECTS)
    .execute();
  for (const { id } of due) {
    signal?.throwIfAborted();
    await markQueued(deps.db, id);
    await requestIngest(deps, id, 'schedule');
    deps.events.emit({ type: 'project-changed', projectId: id });
  }
  return due.map(({ id }) => id);
}
