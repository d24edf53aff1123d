import { rm } from 'node:fs/promises';
import { retryDeadlock } from '#db/retry-deadlock.ts';
import { releaseIndexProcesses } from '#memory/index/index-process.ts';
import type { Deps } from '../deps.ts';
import { projectStorage } from './storage.ts';

/** Deletes a project with all its rows and files, and emits `project-removed`. Idempotent. */
export async function deleteProject(
  deps: Pick<Deps, 'db' | 'config' | 'indexCache' | 'events' | 'projectCancellation' | 'projectFiles'>,
  projectId: string,
): Promise<void> {
  const members = await deps.db
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .execute();
  // An index run may hold rows that the cascade needs, and wait for the project's.
  await retryDeadlock(() => deps.db.deleteFrom('projects').where('id', '=', projectId).execute());
  // Before deleting the files, so that no work in any process uses them.
  deps.projectCancellation.cancel(projectId);
  const userIds = members.map((member) => member.user_id);
  deps.events.emit({ type: 'project-removed', projectId, userIds });
  const storage = projectStorage(deps.config.dataDir, projectId);
  deps.indexCache.evict(storage.shard);
  releaseIndexProcesses();
  // Work that was just cancelled may still write one more file.
  await rm(storage.root, { recursive: true, force: true, maxRetries: 5 });
  await deps.projectFiles.deleteProject(projectId);
}
