import { existsSync } from 'node:fs';
import type { JobContext } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import type { ServerJob } from '../events.ts';
import { SURVEY_FILE, surveyPath } from '../project-data/code-age.ts';
import { hunksFolder } from '../project-data/hunks.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { openProjectIndex, projectStorage } from '../project-data/storage.ts';

const QUEUE = 'code-age';
const RETRY_LIMIT = 2;
/** The lines added by year are counted from the change index, which may take minutes after an import. */
const CHANGE_INDEX_DELAY_S = 30;
const MAX_ROUNDS = 40;

interface CodeAgeJob {
  project_id: string;
  /** Runs that have waited for the change index. */
  round?: number;
}

type CodeAgeDeps = Pick<
  Deps,
  'db' | 'config' | 'jobs' | 'indexCache' | 'pool' | 'events' | 'projectCancellation' | 'projectFiles'
>;

/** Enqueues the survey of a project; a queued one is joined. */
export async function requestSurvey(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send<CodeAgeJob>(QUEUE, { project_id: projectId });
}

/**
 * Returns the job that measures the age of a project's code: when it is first asked for, and after each indexing run from then on.
 * An interrupted run resumes from the survey on disk.
 */
export function codeAgeJob(deps: CodeAgeDeps): ServerJob<CodeAgeJob> {
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    afterIndexing: ({ projectId }) =>
      existsSync(surveyPath(deps.config.dataDir, projectId)) ? { project_id: projectId } : null,
    run: async (job, context) => await survey(deps, job, context),
  };
}

async function survey(
  deps: CodeAgeDeps,
  { project_id: projectId, round = 0 }: CodeAgeJob,
  context: JobContext,
): Promise<void> {
  const project = await deps.db
    .selectFrom('projects')
    .select(['id', 'shard_generation'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  const index = project && (await openProjectIndex(deps, project));
  if (!index?.code) return;
  const { dataDir } = deps.config;
  const task = {
    repo: projectStorage(dataDir, projectId).repo,
    shared: index.shared,
    hunks: hunksFolder(dataDir, projectId),
    survey: surveyPath(dataDir, projectId),
  };
  const signal = deps.projectCancellation.signalFor(projectId, context.signal);
  // One slice at a time, so that other background work gets its turn.
  const left = await deps.projectFiles.update(projectId, SURVEY_FILE, async () => {
    for (;;) {
      const left = await deps.pool.surveyCodeAge(task, { userId: projectId, signal });
      if (left !== 'files') return left;
    }
  });
  if (left === 'changes' && round < MAX_ROUNDS) {
    const next = { project_id: projectId, round: round + 1 };
    await deps.jobs.send<CodeAgeJob>(QUEUE, next, { delayS: CHANGE_INDEX_DELAY_S });
  }
}
