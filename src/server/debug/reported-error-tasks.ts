import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { REPORTED_ERROR_JOB, type ReportedErrorJob } from '../project-data/error-reports.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { investigateAtRelease } from './investigate-error.ts';
import { recordRecurrence } from './queries.ts';

const RETRY_LIMIT = 3;
/** A recurrence within this window is counted instead of investigated. */
const DEDUPLICATION_WINDOW_S = 600;

/** Returns the job that investigates errors reported by webhooks. */
export function reportedErrorJob(deps: Deps): JobDefinition<ReportedErrorJob> {
  return {
    name: REPORTED_ERROR_JOB,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    singletonKey: () => null,
    run: async (job, { signal }) => {
      const project = await deps.db
        .selectFrom('projects')
        .select(['id', 'name', 'shard_generation', 'branch', 'indexed_commit', 'fetched_at', 'path_mappings'])
        .where('id', '=', job.project_id)
        .executeTakeFirst();
      if (!project) return;
      const since = new Date(deps.now().getTime() - DEDUPLICATION_WINDOW_S * 1000);
      if (await recordRecurrence(deps.db, { projectId: project.id, text: job.error_message, since })) return;
      const { user_id, ...request } = job;
      await investigateAtRelease(deps, project, { user_id, request, signal });
    },
  };
}
