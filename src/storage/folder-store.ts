import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { ObjectInfo, ObjectStore } from './object-store.ts';

/** Ending of files that are being written. */
const UNFINISHED = '.new';

/** Creates a store in a folder, such as one of a network file system: one file per object. */
export function createFolderStore(root: string): ObjectStore {
  const pathOf = (key: string) => join(root, key);
  const guard = async <T>(work: () => Promise<T>): Promise<T> => await work().catch(fail);
  const fail = (cause: unknown): never => {
    throw new AppError('unavailable', 'object_store_unavailable', { cause, retryAfter: 5 });
  };
  return {
    name: root,
    put: (key, content, signal) => guard(() => writeObject(pathOf(key), content, signal)),
    get: (key, signal) => guard(() => orNull(readFile(pathOf(key), { signal }))),
    head: (key) =>
      guard(async () => {
        const found = await orNull(stat(pathOf(key)));
        return found && { bytes: found.size, modified: found.mtime };
      }),
    delete: (key) => guard(() => rm(pathOf(key), { force: true })),
    list: (folder) => listObjects(root, folder),
  };
}

/** Writes a file beside its place, syncs it and renames it. */
async function writeObject(path: string, content: Buffer, signal: AbortSignal | undefined): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content, { signal });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Lists unfinished files as well: a killed process leaves them, and they are deleted as unreferenced objects are. */
async function* listObjects(
  root: string,
  folder: string | null,
): AsyncGenerator<ObjectInfo, void, undefined> {
  const folders = folder === null ? await readdir(root).catch(() => []) : [folder];
  for (const name of folders) {
    for (const file of await readdir(join(root, name)).catch(() => [])) {
      const key = `${name}/${file}`;
      const found = await orNull(stat(join(root, key)));
      if (found?.isFile()) yield { key, bytes: found.size, modified: found.mtime };
    }
  }
}

async function orNull<T>(result: Promise<T>): Promise<T | null> {
  return await result.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
}
