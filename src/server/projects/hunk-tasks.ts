import type { JobContext } from '#db/job-queue.ts';
import { runChangeIndexTask } from '#memory/changes/change-index-process.ts';
import type { ServerJob } from '../events.ts';
import { CHANGE_INDEX_JOB, type ChangeIndexJob, hunksFolder } from '../project-data/hunks.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { CHANGE_INDEX_FOLDER, projectStorage } from '../project-data/storage.ts';
import { runWithActivity } from './background-activity.ts';
import type { IngestDeps } from './index-tasks.ts';
import { findProjectRow } from './queries.ts';
import { runExclusive } from './run-exclusive.ts';

const RETRY_LIMIT = 2;

/**
 * Returns the job that indexes the changes of a project’s history after each indexing run. Its state is on disk, and an
 * interrupted run resumes from there; a lost request is covered by the next history search.
 */
export function changeIndexJob(deps: IngestDeps): ServerJob<ChangeIndexJob> {
  return {
    name: CHANGE_INDEX_JOB,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    afterIndexing: ({ projectId }) => ({ project_id: projectId }),
    run: async ({ project_id: projectId }, context) => {
      // A separate lock, so that a refresh does not wait minutes for this job.
      const lockKey = `hunks:${projectId}`;
      await runExclusive(deps, { projectId, lockKey, context }, (exclusive) =>
        indexChanges(deps, projectId, exclusive),
      );
    },
  };
}

async function indexChanges(deps: IngestDeps, projectId: string, context: JobContext): Promise<void> {
  const project = await findProjectRow(deps.db, projectId);
  if (project === null || project.indexed_commit === null) return;
  const { dataDir } = deps.config;
  const { repo } = projectStorage(dataDir, projectId);
  const task = {
    repo,
    revision: project.indexed_commit,
    directory: hunksFolder(dataDir, projectId),
    excludedPaths: project.indexed_exclusions,
  };
  await runWithActivity(deps, { projectId, phase: 'hunks', unit: 'commits', context }, async (run) => {
    await deps.projectFiles.update(projectId, CHANGE_INDEX_FOLDER, () => runChangeIndexTask(task, run));
  });
}
