import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config.ts';
import { lockFolder } from '#db/folder-lock.ts';
import { moveFilesIn, moveFilesOut } from '#server/project-data/move-files.ts';
import { openProjectFiles } from '#server/project-data/project-files.ts';
import { openObjectStore } from '#storage/open-store.ts';
import { withMigratedDatabase } from './migrate.ts';

const USAGE = 'Say where to: hindsight storage move in (to the object store) or out (to DATA_DIR).';
const NO_STORE = 'Set OBJECT_STORE_URL to the object store that files are moved to or from.';

/** Moves the files of all projects from `DATA_DIR` to the object store, or back. The server must be stopped. */
export async function moveStorage(config: Config, args: readonly string[], report: (line: string) => void) {
  const [action, direction] = args;
  if (action !== 'move' || (direction !== 'in' && direction !== 'out')) throw new Error(USAGE);
  if (config.objectStore === null) throw new Error(NO_STORE);
  const { dataDir } = config;
  const store = openObjectStore(config.objectStore);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(join(dataDir, 'projects'));
  try {
    await withMigratedDatabase(config, async (db) => {
      const files = openProjectFiles({ db, dataDir, store });
      const onPath = (projectId: string, path: string) => report(`${projectId}/${path}`);
      const move = direction === 'in' ? moveFilesIn : moveFilesOut;
      await move({ db, dataDir, files, onPath });
    });
  } finally {
    unlock();
  }
  report(
    direction === 'in'
      ? `All files are in ${store.name}. Start the server with the same settings.`
      : `All files are in ${dataDir}. Start the server without OBJECT_STORE_URL.`,
  );
}
