import { AppError } from '#contract/errors.ts';
import { fingerprint } from '#investigate/trace/fingerprint.ts';
import { readTrace } from '#investigate/trace/read-trace.ts';
import type { Deps } from '../deps.ts';
import { ERROR_JOB, type ErrorJob } from '../project-data/error-reports.ts';
import { byProject } from '../project-data/project-owner.ts';
import { investigateAndSave } from './investigate-error.ts';
import { recordRecurrence } from './queries.ts';

const RETRIES = 3;
/** An error that comes again within this time is counted, and not investigated anew. */
const SAME_WITHIN_S = 600;

/** Registers the job that investigates errors which were reported from outside. */
export function defineReportedErrors(deps: Deps): void {
  deps.jobs.define<ErrorJob>(
    ERROR_JOB,
    { concurrency: 1, retryLimit: RETRIES, ...byProject(deps), singleton: () => null },
    async (job, { signal }) => {
      const project = await deps.db
        .selectFrom('projects')
        .select(['id', 'shard_generation', 'branch', 'indexed_commit', 'fetched_at'])
        .where('id', '=', job.project_id)
        .executeTakeFirst();
      if (!project) return;
      const print = fingerprint(readTrace(job.error_message));
      if (
        await recordRecurrence(
          deps.db,
          project.id,
          print,
          new Date(deps.now().getTime() - SAME_WITHIN_S * 1000),
        )
      )
        return;
      const { user_id, project_id, revision, ...error } = job;
      const keep = (at: string | null) =>
        investigateAndSave(deps, project, {
          user_id,
          request: { ...error, project_id, revision: at },
          signal,
        });
      await keep(revision).catch(async (failure) => {
        // The name of a release is often no name that git knows.
        if (!(failure instanceof AppError) || failure.reason !== 'unknown_revision') throw failure;
        await keep(null);
      });
    },
  );
}
