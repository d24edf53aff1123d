import { chmodSync, closeSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const sqlite = process.getBuiltinModule('node:sqlite');
  // Before Node 22.13, on which only the command line runs, for its cache.
  if (!sqlite) return lockByProcessId(folder);
  createPrivately(path);
  const file = new sqlite.DatabaseSync(path, { timeout: 1000 });
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

/** Locks by a file with a process ID; the lock of a process that is gone is taken over. */
function lockByProcessId(folder: string): () => void {
  const path = `${folder}.pid`;
  try {
    writeFileSync(path, `${process.pid}`, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    if (isRunning(Number(readFileSync(path, 'utf8'))))
      throw new AppError('conflict', 'data_folder_locked', {
        params: { folder },
        cause,
        reason: 'already_running',
      });
    writeFileSync(path, `${process.pid}`, { mode: 0o600 });
  }
  return () => rmSync(path, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
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
