import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';

const QUEUE = 'object-cleanup';
const INTERVAL_MS = 24 * 3600_000;
const RETRY_LIMIT = 2;

/** Returns the job that deletes unreferenced objects of the object store; null without one. */
export function objectCleanupJob(deps: Pick<Deps, 'config' | 'projectFiles'>): JobDefinition | null {
  if (deps.config.objectStore === null) return null;
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    everyMs: INTERVAL_MS,
    singletonKey: () => 'all',
    run: async (_, { signal }) => await deps.projectFiles.deleteUnreferenced(signal),
  };
}
