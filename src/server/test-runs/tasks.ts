import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';
import { classifySuite } from './classify-suite.ts';
import { listFailingSuites } from './queries.ts';

/** Returns the job that classifies failing tests again once their commits are indexed: runs are often uploaded before. */
export function classifyTestsJob(deps: Pick<Deps, 'db' | 'config'>) {
  return {
    name: 'classify-tests',
    concurrency: 1,
    retryLimit: 2,
    ...projectJobOptions(deps),
    afterIndexing: ({ projectId }: { projectId: string }) => ({ project_id: projectId }),
    run: async ({ project_id: id }: { project_id: string }) => {
      const project = await deps.db
        .selectFrom('projects')
        .select(['id', 'branch'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!project) return;
      for (const suite of await listFailingSuites(deps.db, id)) await classifySuite(deps, project, suite);
    },
  } satisfies JobDefinition<{ project_id: string }> & { afterIndexing: unknown };
}
