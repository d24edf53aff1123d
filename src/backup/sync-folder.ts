import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the files of a folder, and the folder itself, from the memory of the system to the disk, as `initdb --sync-only` does. */
export async function syncFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncFolder(path);
    else if (entry.isFile()) await syncPath(path);
  }
  await syncPath(folder);
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
