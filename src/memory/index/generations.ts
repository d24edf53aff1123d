import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Prefix of the folders of unpublished generations. */
const TEMP_PREFIX = '.new-';
/** Time that a replaced generation stays on disk, since it may still be being opened. */
const RETENTION_MS = 10 * 60 * 1000;

/** Creates a folder for the next generation, which becomes visible by `publishGeneration`. */
export async function createGeneration(directory: string): Promise<{ name: string; folder: string }> {
  const name = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
  const folder = join(directory, TEMP_PREFIX + name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { name, folder };
}

/** Creates a unique name for a segment of this kind. */
export function newSegmentName(kind: string): string {
  return `${kind}-${randomBytes(6).toString('hex')}`;
}

/** Makes a written generation durable and atomically visible under its name. */
export async function publishGeneration(
  directory: string,
  generation: { name: string; folder: string },
): Promise<void> {
  await syncFolder(generation.folder);
  await rename(generation.folder, join(directory, generation.name));
  await syncFolder(directory);
}

/** Links the files of a folder into another one, which has none of their names. */
export async function linkFiles(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) await link(join(from, name), join(to, name));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes generations that a killed run left unpublished. The folder must have no other writer. */
export async function removeUnpublished(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    if (name.startsWith(TEMP_PREFIX)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Removes all generations but `current`, the newest other one, and those replaced less than ten minutes before `now`. */
export async function pruneGenerations(directory: string, current: string, now: number): Promise<void> {
  const generations: { name: string; createdMs: number }[] = [];
  for (const name of await readdir(directory)) {
    if (name === current || name.startsWith(TEMP_PREFIX)) continue;
    generations.push({ name, createdMs: (await stat(join(directory, name))).mtimeMs });
  }
  generations.sort((a, b) => b.createdMs - a.createdMs);
  for (let i = 1; i < generations.length; i++) {
    const replacedMs = generations[i - 1]!.createdMs;
    if (now - replacedMs < RETENTION_MS) continue;
    await rm(join(directory, generations[i]!.name), { recursive: true, force: true });
  }
}
