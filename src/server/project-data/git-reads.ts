import type { Deps } from '../deps.ts';

/** Milliseconds that a read may wait for its turn and run. */
const GIT_READ_TIMEOUT_MS = 30_000;

/** Who reads from the repository of which project; the signal fires when the caller has gone. */
export interface GitReader {
  project: { id: string };
  userId: string;
  signal?: AbortSignal;
}

/**
 * Reads from a repository when it is the reader's turn; ends with the caller and the project. Reads must not be nested: one that
 * waits inside another could wait for itself.
 */
export async function readFromGit<T>(
  deps: Pick<Deps, 'queues' | 'projectCancellation'>,
  { project, userId, signal }: GitReader,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const task = {
    userId,
    deadlineMs: GIT_READ_TIMEOUT_MS,
    signal: deps.projectCancellation.signalFor(project.id, signal),
  };
  return await deps.queues.gitReads.run(task, read);
}
