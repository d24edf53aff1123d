import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** git holds the lock of a ref for milliseconds: one as old as this is of a killed process, and would refuse every later change. */
const STALE_LOCK_MS = 5_000;

/** Removes the lock file of a ref, which a killed git has left behind; the caller alone changes the ref. */
export async function removeRefLock(repo: string, ref: string): Promise<void> {
  // A segment of the name may be the file of another ref, which git itself reports.
  await rm(join(repo, `${ref}.lock`), { force: true }).catch((error) => {
    if (error.code !== 'ENOTDIR') throw error;
  });
}

/** Removes the lock files of refs that a running git can no longer hold; others may change the refs meanwhile. */
export async function removeStaleRefLocks(repo: string, refs: readonly string[]): Promise<void> {
  for (const ref of refs) {
    const found = await stat(join(repo, `${ref}.lock`)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > STALE_LOCK_MS) await removeRefLock(repo, ref);
  }
}
