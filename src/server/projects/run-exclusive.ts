import { rm } from 'node:fs/promises';
import type { JobContext } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { projectStorage } from '../project-data/storage.ts';

/** Dependencies of project jobs; `lock` serializes writers of a project across processes. */
export type ProjectJobDeps = Pick<Deps, 'db' | 'config' | 'projectCancellation' | 'projectFiles' | 'disk'> & {
  lock<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
};

/**
 * Runs a job while holding the project’s lock. Deleting the project aborts it, in any process, and its files are
 * removed.
 */
export async function runExclusive(
  deps: ProjectJobDeps,
  { projectId, lockKey = projectId, context }: { projectId: string; lockKey?: string; context: JobContext },
  work: (context: JobContext) => Promise<void>,
): Promise<void> {
  const removed = deps.projectCancellation.signalFor(projectId);
  const signal = AbortSignal.any([removed, context.signal]);
  try {
    const { repositories } = deps.projectFiles;
    const run = () => retryOnDiskSpace(deps, { ...context, signal }, work);
    await deps.lock(lockKey, () => repositories.hold(projectId, run), signal);
  } catch (error) {
    if (!removed.aborted) throw error;
  } finally {
    if (removed.aborted) {
      await rm(projectStorage(deps.config.dataDir, projectId).root, { recursive: true, force: true });
    }
  }
}

/**
 * Runs the work while disk space is available: a full disk aborts it, and it restarts when there is space.
 */
async function retryOnDiskSpace(
  { disk }: Pick<ProjectJobDeps, 'disk'>,
  context: JobContext,
  work: (context: JobContext) => Promise<void>,
): Promise<void> {
  while (true) {
    await disk.waitForRoom(context.signal);
    const { roomSignal } = disk;
    try {
      return await work({ ...context, signal: AbortSignal.any([context.signal, roomSignal]) });
    } catch (error) {
      if (!roomSignal.aborted || context.signal.aborted) throw error;
    }
  }
}
