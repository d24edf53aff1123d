import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#contract/errors.ts';

/**
 * Takes the lock on a folder, kept in `<folder>.lock` beside it, and returns what releases it.
 * Throws `conflict` (`already_running`) when another process still has it after a second.
 *
 * The lock is SQLite's on an empty file: a POSIX record lock, the one kind that Node can reach without native
 * code. The kernel drops it when the process ends, however it ends, so there is no stale lock to judge and no
 * process number to mistake for another.
 */
export function lockFolder(folder: string): () => void {
  const file = new DatabaseSync(`${folder}.lock`, { timeout: 1000 });
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    file.close();
    throw new AppError(
      'conflict',
      `Another Hindsight is already running on ${folder}. Stop it first, or give this one its own DATA_DIR.`,
      { cause, reason: 'already_running' },
    );
  }
  return () => file.close();
}
