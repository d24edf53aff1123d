import { AppError } from '#contract/errors.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { REPORTED_ERROR_JOB, type ReportedErrorJob } from '../project-data/error-reports.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { investigateAndSave } from './investigate-error.ts';
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
      const { user_id, project_id, revision, ...error } = job;
      const investigate = (ref: string | null) =>
        investigateAndSave(deps, project, {
          user_id,
          request: { ...error, project_id, revision: ref },
          signal,
        });
      await investigate(revision).catch(async (failure) => {
        // A release name often is not a git revision.
        if (!(failure instanceof AppError) || failure.reason !== 'revision_not_found') throw failure;
        await investigate(null);
      });
    },
  };
}
