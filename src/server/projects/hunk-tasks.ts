import type { JobContext } from '#jobs/queue.ts';
import { runChangeIndexTask } from '#memory/changes/change-index-process.ts';
import { HUNKS_JOB, type HunksJob, hunksFolder, requestHunks } from '../project-data/hunks.ts';
import { byProject } from '../project-data/project-owner.ts';
import { projectStorage } from '../project-data/storage.ts';
import { runWithActivity } from './background-activity.ts';
import { findProjectRow } from './queries.ts';
import { runExclusive } from './run-exclusive.ts';
import type { IngestDeps } from './tasks.ts';

const RETRIES = 2;

/**
 * Registers the job that reads the changes of a project's history once the project is ready, and again after each
 * refresh. It needs no room for itself in a project's row: what is read lies on disk, and the next run goes on from it.
 */
export function defineChangeIndexing(deps: IngestDeps): void {
  deps.jobs.define<HunksJob>(
    HUNKS_JOB,
    { concurrency: 1, retryLimit: RETRIES, ...byProject(deps) },
    async ({ project_id: projectId }, context) => {
      // A lock of its own: a refresh need not wait for this, which takes minutes.
      const lockKey = `hunks:${projectId}`;
      await runExclusive(deps, { projectId, lockKey, context }, (alone) =>
        readHistory(deps, projectId, alone),
      );
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
  const { dataDir } = deps.config;
  const { repo } = projectStorage(dataDir, projectId);
  const task = { repo, revision: project.indexed_commit, directory: hunksFolder(dataDir, projectId) };
  await runWithActivity(deps, { projectId, phase: 'hunks', unit: 'commits', context }, async (run) => {
    await runChangeIndexTask(task, run);
  });
}
