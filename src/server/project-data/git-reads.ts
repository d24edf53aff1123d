import type { Deps } from '../deps.ts';

/** Time limit of a read, including its time in the queue. */
const GIT_READ_TIMEOUT_MS = 30_000;

/** User and project of a read; the signal aborts when the client disconnects. */
interface GitReader {
  project: { id: string };
  userId: string;
  signal?: AbortSignal;
}

/**
 * Queues a read of a repository by user; aborts when the client disconnects or the project is deleted. Must not be nested, since
 * an inner read could wait for the outer one.
 */
export async function readFromGit<T>(
  deps: Pick<Deps, 'queues' | 'projectCancellation' | 'projectFiles'>,
  { project, userId, signal }: GitReader,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const task = {
    userId,
    deadlineMs: GIT_READ_TIMEOUT_MS,
    signal: deps.projectCancellation.signalFor(project.id, signal),
  };
  await deps.projectFiles.repositories.open(project.id);
  return await deps.queues.gitReads.run(task, read);
}
