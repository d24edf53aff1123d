import { join } from 'node:path';
import type { Deps } from '../deps.ts';
import { projectStorage } from './storage.ts';

/** Name of the job that indexes the changes of a project's history. */
export const HUNKS_JOB = 'hunks';

/** Payload of the job. */
export interface HunksJob {
  project_id: string;
}

/** Returns the folder of a project's change index. */
export function hunksFolder(dataDir: string, projectId: string): string {
  return join(projectStorage(dataDir, projectId).root, 'hunks');
}

/** Enqueues indexing of missing changes; a queued run is joined. */
export async function queueHunks(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send<HunksJob>(HUNKS_JOB, { project_id: projectId });
}
