import { join } from 'node:path';
import type { Deps } from '../deps.ts';
import { CHANGE_INDEX_FOLDER, projectStorage } from './storage.ts';

/** Name of the job that indexes the changes of a project's history. */
export const CHANGE_INDEX_JOB = 'change-index';

/** Payload of the job. */
export interface ChangeIndexJob {
  project_id: string;
}

/** Returns the folder of a project's change index. */
export function hunksFolder(dataDir: string, projectId: string): string {
  return join(projectStorage(dataDir, projectId).root, CHANGE_INDEX_FOLDER);
}

/** Enqueues indexing of missing changes; a queued run is joined. */
export async function queueHunks(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send<ChangeIndexJob>(CHANGE_INDEX_JOB, { project_id: projectId });
}
