import { join } from 'node:path';
import type { Deps } from '../deps.ts';
import { projectStorage } from './storage.ts';

/** The job that reads the changes of a project's history. */
export const HUNKS_JOB = 'hunks';

/** What the job is told. */
export interface HunksJob {
  project_id: string;
}

/** Where the changes of a project's history lie on disk. */
export function hunksFolder(dataDir: string, projectId: string): string {
  return join(projectStorage(dataDir, projectId).root, 'hunks');
}

/** Has the changes of a project's history read, as far as they are missing; a run that waits already is joined. */
export async function queueHunks(deps: Pick<Deps, 'jobs'>, projectId: string): Promise<void> {
  await deps.jobs.send<HunksJob>(HUNKS_JOB, { project_id: projectId });
}
