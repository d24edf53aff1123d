import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#contract/errors.ts';

/**
 * Takes the lock on a folder, kept in `<folder>.lock` beside it, and returns what releases it.
 * Throws `conflict` (`already_running`) when another process still has it after a second.
 *
 * The lock is SQLite's on an empty file: a POSIX record lock, the one kind that Node can reach without native
 * code. The kernel drops it when the process ends, however it ends, so there is no stale lock to judge and no
 * process ID to mistake for another. Every reader of the file could hold the lock, so only its owner may read it.
 */
export function lockFolder(folder: string): () => void {
  const path = `${folder}.lock`;
  createPrivately(path);
  const file = new DatabaseSync(path, { timeout: 1000 });
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    file.close();
    throw new AppError('conflict', 'data_folder_locked', {
      params: { folder },
      cause,
      reason: 'already_running',
    });
  }
  return () => file.close();
}

/** An existing file is never opened here: closing it would drop a record lock that this process holds. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!lstatSync(path).isFile()) {
      throw new AppError('conflict', 'lock_not_a_file', { params: { path }, reason: 'lock_not_a_file' });
    }
    chmodSync(path, 0o600);
  }
}
