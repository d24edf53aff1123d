import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Objects that no ref reaches are kept this long: a save that is under way has not moved its branch yet. */
export const UNREFERENCED_MS = 24 * 3600_000;

const OBJECT_FOLDER = /^[0-9a-f]{2}$/;

/** True when a repository has a loose object that no save in progress can still need. */
export async function hasOldLooseObjects(repo: string, now: number = Date.now()): Promise<boolean> {
  for (const folder of await readdir(join(repo, 'objects'))) {
    if (!OBJECT_FOLDER.test(folder)) continue;
    for (const file of await readdir(join(repo, 'objects', folder))) {
      const found = await stat(join(repo, 'objects', folder, file)).catch(() => null);
      if (found && now - found.mtimeMs > UNREFERENCED_MS) return true;
    }
  }
  return false;
}
