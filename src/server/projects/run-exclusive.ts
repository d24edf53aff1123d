import { rm } from 'node:fs/promises';
import type { JobContext } from '#jobs/queue.ts';
import type { Deps } from '../deps.ts';
import { projectStorage } from '../project-data/storage.ts';

/** What jobs work with; `lock` lets one process at a time write a project's repository or a part beside it. */
export type ProjectJobDeps = Pick<Deps, 'db' | 'config' | 'projectWork' | 'disk'> & {
  lock<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
};

/**
 * Does a job's work on a project while no other process does the same, and ends it when the project is deleted,
 * wherever that happens. What the work has left behind in the project's folder then goes as well.
 */
export async function runExclusive(
  deps: ProjectJobDeps,
  { projectId, lockKey = projectId, context }: { projectId: string; lockKey?: string; context: JobContext },
  work: (context: JobContext) => Promise<void>,
): Promise<void> {
  const removed = deps.projectWork.register(projectId);
  const signal = AbortSignal.any([removed, context.signal]);
  try {
    await deps.lock(lockKey, () => whileRoom(deps, { ...context, signal }, work), signal);
  } catch (error) {
    if (!removed.aborted) throw error;
  } finally {
    if (removed.aborted) {
      await rm(projectStorage(deps.config.dataDir, projectId).root, { recursive: true, force: true });
    }
  }
}

/** Does the work while the disk has room: a disk that fills ends it, and it begins again when there is room. */
async function whileRoom(
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
